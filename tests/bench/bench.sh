# Benchmarks: one shell function bench_NAME each. Part of build.sh.

## bench      all --quick [--record]: the ratios that a release must keep, beside the recorded ones and the goals;
##            cluster [--mode lvms|topolvm] [--quick]: claims, pods, memory in a real cluster, or beside TopoLVM;
##            burst [--profile]: a volume among fifty at once, and where the node's processor is;
##            reboot [--quick]: a node with 250 volumes loses its power, until all pods are Ready again;
##            install: from nothing to a pod, by each way; devices: memory with 64 more; claims: by step;
##            memory: of each process; serving: metrics and webhooks;
##            lvm2 [--quick]: worker, exec and lvm; snapshots [--quick]: writes under a thick snapshot;
##            scale [--all] [--sizes N,N]: operator and agent with many volumes in a real API server;
##            k8s [--quick] [--objects N]: our informer beside fabric8's and client-go's;
##            fleet [--agents N] [--volumes N] | --idle N: a hundred nodes, a thousand agents, without machines
target_bench() {
    local name="${1:-}"
    [ $# -eq 0 ] || shift
    declare -F "bench_$name" >/dev/null ||
        die "bench: no benchmark named '$name', there are:$(declare -F |
            sed --quiet 's/^declare -f bench_/ /p' | tr --delete '\n')"
    "bench_$name" "$@"
}

# Where benchmarks put their ratios, and what became of each group of them.
readonly RATIOS=out/bench/ratios
# The benchmarks of the gate.
readonly GATE="lvm2 memory k8s cluster"
# Thrice what the slowest of them takes; where it is the first, it downloads and builds.
readonly GATE_DEADLINE="${GATE_DEADLINE:-15m}"

# --quick [--record]: the benchmarks of the gate, then their ratios beside those of tests/bench/recorded.tsv. It fails
# where one is more than 25 % worse; with --record, it writes them there. See docs/performance.md.
bench_all() {
    local quick=no verb=compare word name
    for word; do
        case $word in
        --quick) quick=yes ;;
        --record) verb=record ;;
        *) die "bench all: unknown option $word, there are --quick and --record" ;;
        esac
    done
    [ $quick = yes ] || die "bench all: say --quick; without it, each benchmark is for itself"
    compile_tests bench
    gate check || exit
    rm --recursive --force $RATIOS
    mkdir --parents $RATIOS/first
    say "processors: $(nproc), load before the run: $(cut --delimiter=' ' --fields=1 /proc/loadavg)"
    for name in $GATE; do gate_"$name"; done
    if [ $verb = compare ]; then
        for name in $(gate worse | sed 's/-.*//' | uniq); do
            say "$name again: a ratio is worse, which can be chance"
            find $RATIOS -maxdepth 1 -name "$name*.tsv" -exec mv --target-directory=$RATIOS/first {} +
            gate_"$name"
        done
    fi
    gate $verb
}

gate() { test_jvm lvms.tests.bench.gate.Gate "$@"; }

# gate_run GROUPS BENCHMARK [ARGUMENT]...: runs a benchmark and notes of its groups of ratios what became of it.
gate_run() {
    local groups=$1 name=$2 started=$SECONDS log=out/bench/$2.log group outcome=ran reason='' status
    shift
    say "bench $*"
    timeout --kill-after=30 "$GATE_DEADLINE" ./build.sh bench "$@" 2>&1 </dev/null | tee "$log" || {
        status=${PIPESTATUS[0]}
        outcome=failed
        reason="see $log"
        if [ "$status" = 124 ]; then reason="not done after $GATE_DEADLINE, $reason"; fi
    }
    say "bench $name took $((SECONDS - started)) s"
    for group in $groups; do gate_note "$group" $outcome "$reason"; done
}

# gate_note GROUP ran|skipped|failed REASON
gate_note() { printf '%s\t%s\t%s\n' "$@" >>$RATIOS/outcomes; }

gate_lvm2() {
    local missing
    missing=$(lvm2_missing)
    if [ -n "$missing" ]; then
        gate_note lvm2 skipped "$missing"
    else
        gate_run lvm2 lvm2 --quick --machine
    fi
}

gate_memory() { gate_run memory memory --runs 1 --settle 12 --volumes 0,10000; }

gate_k8s() {
    local peer missing groups='' options=()
    for peer in fabric8 client-go; do
        missing=$(k8s_missing "$peer")
        if [ -n "$missing" ]; then
            gate_note "k8s-$peer" skipped "$missing"
            options+=(--without "$peer")
        else
            groups+=" k8s-$peer"
        fi
    done
    [ -z "$groups" ] || gate_run "$groups" k8s --quick "${options[@]}"
}

gate_cluster() {
    local missing
    missing=$(cluster_missing)
    if [ -n "$missing" ]; then
        gate_note cluster skipped "$missing"
    else
        gate_run cluster cluster --quick
    fi
}

# [--runs N] [--settle SECONDS] [--volumes N,N] [JVM options]: see docs/performance.md.
bench_memory() {
    find_lvm
    target_image
    find_jdk
    "$JDK/bin/java" -XX:+UseSerialGC -Xmx2g --class-path "$(class_path bench)" \
        lvms.tests.bench.MemoryBench "$IMAGE" "$@"
}

# [--runs N] [--settle SECONDS] [--volumes N,N] [JVM options]: what metrics and webhooks cost; or --apiserver VERSION:
# a write through the webhook beside a plain one in a real kube-apiserver. See docs/performance.md.
bench_serving() {
    if [ "${1:-}" = --apiserver ]; then
        bench_admission "${2:?bench serving: --apiserver needs a version, such as $KUBERNETES}"
        return
    fi
    target_image
    find_jdk
    "$JDK/bin/java" -XX:+UseSerialGC -Xmx512m --class-path "$(class_path bench)" \
        lvms.tests.bench.ServingBench "$IMAGE" "$@"
}

# VERSION
bench_admission() {
    prepare_api_server "$1"
    compile_tests bench
    find_jdk
    "$JDK/bin/java" -XX:+UseSerialGC -Xmx512m -Dlvms.cache="$CACHE" -Dlvms.kubernetes="$KUBERNETES" \
        -Djava.util.logging.config.file=tests/logging.properties --class-path "$(class_path bench)" \
        lvms.tests.bench.AdmissionBench "$1"
}

prepare_api_server() {
    local missing
    missing=$(programs_missing)
    [ -z "$missing" ] || die "$missing"
    conformance_programs "$1" kube-apiserver
    conformance_programs "$(kubernetes_versions | head --lines=1)" etcd
}

# [--all] [--sizes N,N] [--settle SECONDS] [--deadline SECONDS] [--plot FILE] [JVM options]: operator and node agent
# with many volumes; see docs/performance.md.
bench_scale() {
    prepare_api_server "$(kubernetes_versions | head --lines=1)"
    find_lvm
    target_image
    find_jdk
    rm --recursive --force out/bench/scale
    mkdir --parents out/bench/scale
    "$JDK/bin/java" -XX:+UseSerialGC -Xmx1g -Dlvms.cache="$CACHE" \
        -Djava.util.logging.config.file=tests/logging.properties --class-path "$(class_path bench)" \
        lvms.tests.bench.scale.ScaleBench "$IMAGE" "$@"
}

# [--mode lvms|topolvm] [--quick]: claims, pods, memory and requests in a real cluster, or claims and pods beside those
# of TopoLVM itself; see docs/performance.md.
bench_cluster() {
    prepare_bench_in_a_cluster
    case " $* " in *" --mode topolvm "*)
        conformance_programs "$(kubernetes_versions | head --lines=1)" helm
        target_chart
        ;;
    esac
    PATH=$(dirname "$KUBECTL"):$PATH test_jvm lvms.tests.bench.cluster.ClusterBench "$@"
}

# [--profile]: a volume among many at once, one alone and plain LVM, and where the node's processor is; see
# docs/performance.md.
bench_burst() {
    prepare_bench_in_a_cluster
    PATH=$(dirname "$KUBECTL"):$PATH test_jvm lvms.tests.bench.cluster.BurstBench "$@"
}

# [--quick]: how long the pods of a node that lost its power take, without volumes and with five each; see
# docs/performance.md.
bench_reboot() {
    prepare_bench_in_a_cluster
    PATH=$(dirname "$KUBECTL"):$PATH test_jvm lvms.tests.bench.cluster.RebootBench "$@"
}

# From a cluster without a driver to a running pod with a volume, by each way of installing; see docs/performance.md.
bench_install() {
    prepare_bench_in_a_cluster
    conformance_programs "$(kubernetes_versions | head --lines=1)" helm
    target_chart
    PATH=$(dirname "$KUBECTL"):$PATH test_jvm lvms.tests.bench.cluster.InstallBench
}

# What block devices, and what users of NativeStor have, cost in memory; see docs/performance.md.
bench_devices() {
    prepare_bench_in_a_cluster
    install_packages fdisk # a node's root is this machine's
    PATH=$(dirname "$KUBECTL"):$PATH test_jvm lvms.tests.bench.cluster.DeviceBench
}

# [--agents N] [--volumes N], or --idle N [--window SECONDS]; [--processes N] [--creation MS] [--removal MS]
# [--report MS]: many node agents over LVMs in memory, in a real control plane; see docs/performance.md.
bench_fleet() {
    local missing
    missing=$(programs_missing)
    [ -z "$missing" ] || die "$missing"
    KUBERNETES=$(kubernetes_versions | head --lines=1)
    conformance_programs "$KUBERNETES" etcd kube-apiserver kube-controller-manager kube-scheduler
    target_image
    compile_tests bench
    find_kubectl
    rm --recursive --force out/bench/fleet
    PATH=$(dirname "$KUBECTL"):$PATH test_jvm lvms.tests.bench.fleet.FleetBench "$IMAGE" "$@"
}

prepare_bench_in_a_cluster() {
    local missing
    missing=$(cluster_missing)
    [ -z "$missing" ] || die "$missing"
    cluster_prepare
    compile_tests bench
    find_kubectl
}

# [--quick] [--machine]: the library by worker and by exec beside the lvm program; see docs/performance.md.
bench_lvm2() {
    case " $* " in *" --machine "*) find_lvm ;; *) lab_prepare ;; esac
    compile_tests bench
    test_jvm -Xmx512m lvms.lvm2.command.LvmBenchmark "$@"
}

# Prints in one line what keeps this machine from measuring the library without the lab; nothing if it can.
lvm2_missing() {
    local program
    if [ "$(id --user)" != 0 ]; then
        say "LVM and loop devices need root"
    elif [ ! -c /dev/loop-control ]; then
        say "there are no loop devices: /dev/loop-control is missing"
    elif ! command -v lvm >/dev/null && ! command -v apt-get >/dev/null; then
        say "there is no lvm in PATH, and no apt to install it"
    else
        for program in losetup wipefs; do
            if ! command -v $program >/dev/null; then
                say "there is no $program in PATH"
                return
            fi
        done
    fi
}

# Of this machine: the node agent waits for it, and the library calls it.
find_lvm() { command -v lvm >/dev/null || install_packages lvm2; }

# [--quick]: writes to a thick volume under a snapshot, beside the same without one; see docs/performance.md.
bench_snapshots() {
    lab_prepare
    compile_tests bench
    test_jvm -Xmx512m lvms.lvm2.command.SnapshotBenchmark "$@"
}

# The peer that `bench k8s` fetches; client-go is pinned by tests/bench/go/informer/go.mod. No part of the product
# depends on either, so build/artifacts.tsv has neither.
readonly FABRIC8=8.0.0
readonly K8S_BENCH=out/bench/k8s

# [--quick] [--objects N] [--without fabric8|client-go]...: our informer beside those of fabric8 and client-go; see
# docs/performance.md.
bench_k8s() {
    target_jars
    compile_tests bench
    bench_k8s_lvms
    case " $* " in *" --without fabric8 "*) ;; *) bench_k8s_fabric8 ;; esac
    case " $* " in *" --without client-go "*) ;; *) bench_k8s_client_go ;; esac
    find_jdk
    "$JDK/bin/java" -XX:+UseSerialGC -Xmx256m --class-path "$(class_path bench)" lvms.tests.bench.k8s.ClientBench "$@"
}

# Prints in one line what keeps this machine from making that peer; nothing if it can.
k8s_missing() {
    case $1 in
    fabric8)
        if [ ! -e "$K8S_BENCH/fabric8/kubernetes-client-$FABRIC8.jar" ] && ! command -v mvn >/dev/null &&
            ! { command -v apt-get >/dev/null && [ "$(id --user)" = 0 ]; }; then
            say "fabric8 is fetched by Maven, and there is no mvn in PATH"
        fi
        ;;
    client-go) command -v go >/dev/null || say "client-go is built by Go, and there is no go in PATH" ;;
    esac
}

# Our client: jars alone, since an AOT cache takes no folders.
bench_k8s_lvms() {
    rm --recursive --force $K8S_BENCH/lvms
    mkdir --parents $K8S_BENCH/lvms
    find_jdk
    "$JDK/bin/jar" --create --file $K8S_BENCH/lvms/bench.jar -C out/test-classes/bench lvms/tests/bench/k8s/client
    cp out/jars/lvms.k8s.jar $K8S_BENCH/lvms
    cp out/modules/gson-*.jar $K8S_BENCH/lvms
}

bench_k8s_fabric8() {
    local sources=tests/bench/fabric8 jars=$K8S_BENCH/fabric8 pom=$K8S_BENCH/pom.xml
    find_jdk
    if [ ! -e "$jars/kubernetes-client-$FABRIC8.jar" ]; then
        command -v mvn >/dev/null || install_packages maven
        say "fetching fabric8 $FABRIC8"
        {
            say '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
            say '<groupId>lvms</groupId><artifactId>bench</artifactId><version>1</version><dependencies><dependency>'
            say "<groupId>io.fabric8</groupId><artifactId>kubernetes-client</artifactId><version>$FABRIC8</version>"
            say '</dependency></dependencies></project>'
        } >$pom
        rm --recursive --force $jars
        JAVA_HOME=$JDK mvn --batch-mode --quiet --file $pom \
            org.apache.maven.plugins:maven-dependency-plugin:3.7.0:copy-dependencies -DincludeScope=runtime \
            -DoutputDirectory="$PWD/$jars" >$K8S_BENCH/maven.log 2>&1 ||
            die "Maven could not fetch fabric8: see $K8S_BENCH/maven.log"
    fi
    rm --recursive --force $K8S_BENCH/fabric8-client
    # shellcheck disable=SC2046
    "$JDK/bin/javac" --release 25 -Werror -d $K8S_BENCH/fabric8-client --class-path "out/test-classes/bench:$jars/*" \
        $(find $sources -name '*.java')
    # Of ours, it sees what it says of itself alone.
    (cd out/test-classes/bench &&
        cp --parents lvms/tests/bench/k8s/client/Session.class "$OLDPWD/$K8S_BENCH/fabric8-client")
}

bench_k8s_client_go() {
    command -v go >/dev/null || die "client-go is built by Go, and there is none here: install go"
    (cd tests/bench/go/informer && CGO_ENABLED=0 GOWORK=off \
        go build -mod=readonly -trimpath -buildvcs=false -ldflags '-s -w' -o "$OLDPWD/$K8S_BENCH/informer" .)
}
