# Of which sources a build is: commit, time and tag, also in a tree that git archive wrote. Part of build.sh.

# Prints a field of build/commit, which git archive fills in: 1 commit, 2 seconds since 1970, 3 nearest tag.
archived() { sed --quiet '/^[0-9a-f]\{40\} /p' build/commit | cut --delimiter=' ' --fields="$1"; }

# Prints the commit, with -modified after it if the tree has other changes; unknown if nothing tells.
source_commit() {
    local commit
    if [ ! -e .git ]; then
        commit=$(archived 1)
        say "${commit:-unknown}"
        return
    fi
    commit=$(git rev-parse HEAD 2>/dev/null) || commit=unknown
    [ -z "$(git status --porcelain 2>/dev/null)" ] || commit+=-modified
    say "$commit"
}

# Prints when that was, in seconds since 1970.
source_seconds() {
    local seconds
    if [ -e .git ]; then
        seconds=$(git log --max-count=1 --format=%ct 2>/dev/null) || seconds=
    else
        seconds=$(archived 2)
    fi
    say "${seconds:-$(date --date="$JAR_DATE" +%s)}"
}

source_date() { date --utc --date="@$(source_seconds)" +%Y-%m-%dT%H:%M:%SZ; }

# Prints the tags vX.Y.Z of the commit, one a line.
source_tags() {
    { if [ -e .git ]; then git tag --points-at HEAD; else archived 3; fi; } |
        { grep --extended-regexp '^v(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}$' || true; }
}

# Takes the files of others from LVMS_SOURCES, the folder sources/ of a release, instead of fetching them. Each is
# checked against its pin all the same.
take_sources() {
    local jars=${LVMS_SOURCES%/}/jars debian=${LVMS_SOURCES%/}/debian platform
    [ -d "$jars/../debian" ] ||
        die "LVMS_SOURCES=$LVMS_SOURCES: expected the folder sources of a release, with jars and debian in it"
    mkdir --parents out/deps "$CACHE/debian"
    cp --no-clobber "$debian"/* "$CACHE/debian"
    for platform in $(pinned_platforms); do
        mkdir --parents "out/deps-$platform"
        artifacts_for "$platform" tool | awk -v jars="$jars" '/[.]exe / { print jars "/" $1 }' |
            xargs cp --no-clobber --target-directory="out/deps-$platform"
        chmod +x "out/deps-$platform"/*.exe
    done
    artifacts all | awk -v jars="$jars" '{ print jars "/" $1 }' | xargs cp --no-clobber --target-directory=out/deps
    chmod +x out/deps/*.exe
}
