# Packs the Helm chart, by tar and gzip alone. Part of build.sh.

readonly CHART=out/chart/lvms
readonly CHART_ARCHIVE=out/lvms-$VERSION.tgz

## chart      pack the Helm chart out/lvms-<version>.tgz, the same bytes from the same sources
target_chart() {
    local given
    for given in version appVersion; do
        grep --quiet --line-regexp --fixed-strings "$given: $VERSION" deploy/chart/Chart.yaml ||
            die "chart: $given in deploy/chart/Chart.yaml is not $VERSION, the version of build.sh"
    done
    rm --recursive --force out/chart "$CHART_ARCHIVE"
    mkdir --parents "$CHART"
    # The manifests are links to the folders of deploy; in the archive they are files.
    cp --recursive --dereference deploy/chart/. "$CHART"
    rm --recursive "$CHART/examples"
    tar --create --format=gnu --sort=name --mtime="$JAR_DATE" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
        --directory "${CHART%/*}" lvms | gzip --no-name --best >"$CHART_ARCHIVE.new"
    mv "$CHART_ARCHIVE.new" "$CHART_ARCHIVE"
    say "$CHART_ARCHIVE"
}
