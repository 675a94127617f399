#!/bin/bash
# build.sh FOLDER: makes the image localhost/lvms:0.0.0-base and its manifests from the commit in tests/skew/base.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
base=$(cat "$here/base")
folder=$1

if [ "$(cat "$folder/commit" 2>/dev/null)" = "$base" ]; then exit 0; fi
if ! git -C "$repository" cat-file -e "$base^{commit}" 2>/dev/null; then
    echo "commit $base of tests/skew/base is not in this clone: git fetch --unshallow" >&2
    exit 1
fi
rm -rf "$folder"
mkdir -p "$folder"
git -C "$repository" archive "$base" | tar --extract --directory "$folder"
cd "$folder"
version=$(sed -n 's/^readonly VERSION=//p' build.sh)
sed -i 's/^readonly VERSION=.*/readonly VERSION=0.0.0-base/' build.sh
find deploy -name '*.yaml' -exec sed -i "s|localhost/lvms:$version|localhost/lvms:0.0.0-base|" {} +
./build.sh oci --no-aot >&2
echo "$base" >commit
