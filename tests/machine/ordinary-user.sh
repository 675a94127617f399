# ordinary-user.sh FOLDER: compiles, checks and tests a clone as a user without rights, with an empty home, and with a
# PATH that holds the tools that README.md names and nothing else. Root gives up its rights for it. It needs Debian,
# whose packages say which programs are GNU's.
set -eu
folder=$(realpath "$1")
mkdir "$folder/home" "$folder/tools"
for program in $(dpkg --listfiles coreutils findutils grep sed | grep 'bin/.') \
    "$(command -v bash)" "$(command -v git)" "$(command -v awk)" "$(command -v mvn)"; do
    ln --symbolic --force "$program" "$folder/tools"
done
git clone --quiet . "$folder/clone"
user=()
# The JVM asks the list of users for a home, and a user of this number has none there.
options="-Duser.home=$folder/home"
if [ "$(id --user)" = 0 ]; then
    chown --recursive 65534:65534 "$folder"
    user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
cd "$folder/clone"
for target in compile lint 'test --layer unit'; do
    echo "== ./build.sh $target"
    # shellcheck disable=SC2086
    "${user[@]}" env --ignore-environment HOME="$folder/home" PATH="$folder/tools" MAVEN_OPTS="$options" \
        ${JAVA_HOME:+JAVA_HOME="$JAVA_HOME"} ./build.sh $target
done
