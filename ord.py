import random
from itertools import permutations
from math import fsum
T="""50 33 88 100 88 88 11 88 75
40 75 88 100 88 57 57 75
75 100 75 88 38 88 88
57 100 88 88 88 57
75 75 100 57 75
75 88 88 75
75 75 100
88 75
75"""
D=[[0]*10 for _ in range(10)]
for i,l in enumerate(T.splitlines()):
    for j,v in enumerate(l.split()): D[i][i+1+j]=D[i+1+j][i]=int(v)/100
def S(D):
    out=[]
    for i in range(len(D)-1):
        m=min(D[i][i+1:])
        out+=[(i,j) for j in range(i+1,len(D)) if D[i][j]==m]
    return out
def alg(D,k):
    P=S(D); G=[]
    while len(P)>k:
        sc={p:D[p[0]][p[1]] for p in P}
        mean=fsum(sc.values())/len(P)
        c=max(x for x in sc.values() if x<=mean+1e-12)
        low=[p for p in P if sc[p]<c]
        g=sorted({x for p in low for x in p})
        P2=[p for p in P if not set(p)&set(g)]
        high=[p for p in P2 if sc[p]>c]
        h=sorted({x for p in high for x in p})
        P3=[p for p in P2 if not set(p)&set(h)]
        if not g and not h: break
        G+=[x for x in (g,h) if x]
        P=P3
    r=sorted({x for p in P for x in p})
    if r: G.append(r)
    return G
print([[x+1 for x in g] for g in alg(D,2)])
for name,perm in (("reversed",list(range(10))[::-1]),("rot",[1,2,3,4,5,6,7,8,9,0]),("swap last",[0,1,2,3,4,5,6,7,9,8]), ("last first",[9,0,1,2,3,4,5,6,7,8])):
    E=[[D[a][b] for b in perm] for a in perm]
    g=alg(E,2)
    print(name,sorted(sorted(perm[x]+1 for x in q) for q in g))
random.seed(1)
for n in (3,4,5):
    seen=0
    for _ in range(20000):
        M=[[0]*n for _ in range(n)]
        for i in range(n):
            for j in range(i): M[i][j]=M[j][i]=random.choice([.33,.57,.75])
        g=alg(M,2)
        lost=set(range(n))-{x for q in g for x in q}
        if lost: print(n,"lost",lost,g,M); seen+=1
        if seen>1: break
for n in (3,4,):
    seen=0
    for _ in range(20000):
        M=[[0]*n for _ in range(n)]
        for i in range(n):
            for j in range(i): M[i][j]=M[j][i]=random.choice([.33,.57,.75])
        g=sorted(alg(M,2))
        for perm in permutations(range(n)):
            E=[[M[a][b] for b in perm] for a in perm]
            h=sorted(sorted(perm[x] for x in q) for q in alg(E,2))
            if h!=g: print(n,"order",M,g,perm,h); seen+=1; break
        if seen>2: break
