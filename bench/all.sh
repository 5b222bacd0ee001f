#!/usr/bin/env bash
# Run the benchmarks and write RESULTS.md again: bench/all.sh PEERS [NAME…]
#
# PEERS is a folder for the peers' environments. With names (start_up, million_paths, …) only those are run; the other
# sections stay as they were. PYTHON is an interpreter whose environment has Taxonym with its extras, TAXONYM the
# console script that is timed (default: the one beside PYTHON).
set -eu
peers=${1:?name a folder for the environments of the peers}
shift
cd "$(dirname "$0")/.."
default=$([ -x .venv/bin/python ] && echo .venv/bin/python || echo python3)
python=${PYTHON:-$default}
order="concept_pairs word_similarity start_up million_paths text_mapping column_senses icd10cm_retrieval adaptive"

for name in ${*:-$order}; do
  case $name in
    concept_pairs | privlib_peer | generalize) arguments=(--peers "$peers") ;;
    text_mapping)
      [ -x "$peers/hanta/bin/python" ] || "$python" -m venv "$peers/hanta"
      "$peers/hanta/bin/python" -m pip install --quiet --disable-pip-version-check HanTa==1.2.1 numpy
      arguments=(--peer "$peers/hanta/bin/python")
      ;;
    start_up) arguments=(${TAXONYM:+"$TAXONYM"}) ;;
    *) arguments=() ;;
  esac
  "$python" "bench/$name.py" "${arguments[@]}"
done

# sections in a fixed order, then those of other benchmarks
{
  echo "# Measured"
  echo
  echo "Written by \`bench/all.sh\` from \`bench/results/\`. Compare by ratio: seconds depend on the machine."
  for name in $order; do
    [ ! -f "bench/results/$name.md" ] || { echo; cat "bench/results/$name.md"; }
  done
  for file in bench/results/*.md; do
    name=$(basename "$file" .md)
    case " $order " in *" $name "*) ;; *) echo; cat "$file" ;; esac
  done
} > bench/RESULTS.md
