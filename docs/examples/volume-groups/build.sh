#!/bin/sh
# Compiles the program and links it with a Java runtime that has what it needs and nothing else:
#
#     build.sh MODULES TARGET
#
# MODULES is a folder with the jars of lvms.lvm2 and gson, TARGET a folder that does not exist yet. The program is
# TARGET/bin/list-groups, which needs no JDK. JAVA_HOME is a JDK 25.
set -eu
modules=$1
target=$2
here=$(dirname "$0")
classes=$(mktemp --directory)
trap 'rm --recursive "$classes"' EXIT

"$JAVA_HOME/bin/javac" --release 25 -Xlint:all -Werror -d "$classes" --module-path "$modules" \
    "$here/module-info.java" "$here/example/groups/ListGroups.java"
"$JAVA_HOME/bin/jlink" --module-path "$modules:$classes" --add-modules example.groups --output "$target" \
    --launcher list-groups=example.groups/example.groups.ListGroups \
    --add-options=--enable-native-access=lvms.lvm2 --compress zip-6 --no-header-files --no-man-pages
