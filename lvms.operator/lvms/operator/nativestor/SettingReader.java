package lvms.operator.nativestor;

import lvms.api.NodeTerms.Requirement;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Toleration;
import lvms.operator.agent.HostPaths;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** Reads the settings once. A broken value is a problem, and what would be without it stays. */
final class SettingReader {
    private final SettingSource source;
    private final List<String> problems = new ArrayList<>();

    SettingReader(SettingSource source) {
        this.source = source;
    }

    NativeStorSettings read() {
        boolean topolvm = flag(SettingKey.TOPOLVM_ENABLE, true);
        boolean raw = flag(SettingKey.RAW_DEVICE_ENABLE, false);
        return new NativeStorSettings(
                source.configMap(),
                topolvm,
                raw,
                value(
                        SettingKey.KUBELET_ROOT_DIR,
                        "the folder of --kubelet-root",
                        SettingReader::folder),
                value(SettingKey.OPERATOR_LOG_LEVEL, "the level as it was", Grammar::level),
                tolerations(raw),
                affinities(raw),
                requests(raw),
                problems,
                unused());
    }

    private boolean flag(SettingKey key, boolean usual) {
        return value(key, String.valueOf(usual), Grammar::flag).orElse(usual);
    }

    private static String folder(String text) {
        return HostPaths.DEFAULT.kubelet(text).kubelet();
    }

    private List<Toleration> tolerations(boolean raw) {
        var all = new LinkedHashSet<Toleration>();
        for (var key : roles("TOLERATIONS", raw)) {
            orElse(key, SettingKey.CSI_PLUGIN_TOLERATIONS, Grammar::tolerations)
                    .ifPresent(all::addAll);
        }
        value(SettingKey.DISCOVER_DEVICE_TOLERATIONS, "none of them", Grammar::tolerations)
                .ifPresent(all::addAll);
        return List.copyOf(all);
    }

    /** An agent goes where one of its roles goes; a role without affinity goes everywhere. */
    private List<List<Requirement>> affinities(boolean raw) {
        var all = new LinkedHashSet<List<Requirement>>();
        boolean anywhere = false;
        for (var key : roles("NODE_AFFINITY", raw)) {
            var affinity =
                    orElse(key, SettingKey.CSI_PLUGIN_NODE_AFFINITY, Grammar::affinity)
                            .filter(requirements -> !requirements.isEmpty());
            anywhere |= affinity.isEmpty();
            affinity.ifPresent(all::add);
        }
        value(SettingKey.DISCOVER_DEVICE_NODE_AFFINITY, "none of it", Grammar::affinity)
                .filter(requirements -> !requirements.isEmpty())
                .ifPresent(all::add);
        return anywhere ? List.of() : List.copyOf(all);
    }

    private Map<String, Quantity> requests(boolean raw) {
        var keys = new ArrayList<>(roles("RESOURCE", raw));
        keys.add(SettingKey.DISCOVER_DEVICE_RESOURCE);
        var sums = new LinkedHashMap<String, Quantity>();
        for (var key : keys) {
            value(key, "none of it", Grammar::requests)
                    .ifPresent(some -> some.forEach((n, q) -> sums.merge(n, q, Grammar::sum)));
        }
        return sums;
    }

    private static List<SettingKey> roles(String what, boolean raw) {
        var topolvm = SettingKey.valueOf("CSI_TOPOLVM_PLUGIN_" + what);
        return raw
                ? List.of(topolvm, SettingKey.valueOf("CSI_RAW_DEVICE_PLUGIN_" + what))
                : List.of(topolvm);
    }

    private <T> Optional<T> orElse(
            SettingKey key, SettingKey fallback, Function<String, T> parser) {
        return source.value(key).isPresent()
                ? value(key, "none of them", parser)
                : value(fallback, "none of them", parser);
    }

    private <T> Optional<T> value(SettingKey key, String instead, Function<String, T> parser) {
        var text = source.value(key);
        try {
            return text.map(parser);
        } catch (IllegalArgumentException e) {
            var problem =
                    source.where(key)
                            + ": "
                            + e.getMessage()
                            + "; the default is in force: "
                            + instead;
            if (!problems.contains(problem)) {
                problems.add(problem);
            }
            return Optional.empty();
        }
    }

    private List<String> unused() {
        var unused = new ArrayList<String>();
        for (var key : SettingKey.values()) {
            if (!key.effective() && source.value(key).isPresent()) {
                unused.add(key + " (" + key.meaning() + ")");
            }
        }
        for (var name : new TreeSet<>(source.data().keySet())) {
            if (SettingKey.find(name).isEmpty()) {
                unused.add(name + " (no key of NativeStor)");
            }
        }
        for (var key : SettingKey.values()) {
            if (key.effective() && key.name().endsWith("_RESOURCE") && limits(key)) {
                unused.add(
                        "limits in "
                                + key
                                + " (a node agent that is killed for its memory may leave a device"
                                + " suspended)");
            }
        }
        return unused;
    }

    private boolean limits(SettingKey key) {
        try {
            return source.value(key).filter(Grammar::limits).isPresent();
        } catch (IllegalArgumentException _) {
            return false; // a problem already, if the key counts
        }
    }
}
