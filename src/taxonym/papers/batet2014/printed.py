"""What [Batet2014] prints: the example of §3.1.1, the phrases, and Table 1."""

# T(Swimming), T(Windsurfing), T(Mediterranean), as links from a concept to what generalises it
GENERALISATIONS = [
    ("Swimming", "Water Sports"), ("Windsurfing", "Water Sports"), ("Water Sports", "Sports"),
    ("Mediterranean", "Regions"), ("Regions", "Europe"), ("Europe", "Regional"),
]  # fmt: skip
RECORDS = ("Swimming", "Mediterranean"), ("Windsurfing", "Mediterranean")
PHONE = [("iPhone", "Smartphone"), ("Smartphone", "Handhelds"), ("Handhelds", "Systems"), ("Systems", "Computers")]

USERS, SIZES = 1000, (2, 3, 4, 5)
CLUSTERS = 500, 200  # for the least and the largest k

# Table 1, L by aggregation: with meaning and without, k = 2 to 5
TABLE_1 = {
    "min": ((699, 759, 783, 799), (825, 863, 883, 895)),
    "max": ((724, 778, 806, 820), (824, 860, 884, 895)),
    "avg": ((639, 692, 724, 745), (768, 804, 829, 845)),
    "min-sum": ((683, 733, 759, 781), (817, 859, 879, 891)),
    "max-sum": ((716, 780, 819, 838), (822, 858, 884, 893)),
}
