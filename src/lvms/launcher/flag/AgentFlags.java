package lvms.launcher.flag;

import lvms.operator.agent.AgentFeatures;
import lvms.operator.agent.AgentNodes;
import lvms.operator.agent.AgentSettings;
import lvms.operator.agent.HostPaths;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The operator's flags about the node agents: what a cluster's nodes need that others do not. */
public final class AgentFlags {
    private static final String COMMAND = "vgmanager-cmd";
    private static final String KUBELET = "kubelet-root";
    private static final String CONFIG = "vgmanager-config-dir";
    private static final String MODULES = "vgmanager-modules-dir";
    private static final String SELECTOR = "vgmanager-node-selector";
    private static final String ARCHITECTURES = "vgmanager-architectures";
    private static final String UNAVAILABLE = "vgmanager-max-unavailable";
    private static final String REQUESTS = "vgmanager-requests";
    private static final String DISCOVER = "discover-devices";
    private static final String RAW_DEVICES = "raw-devices";
    private static final String CLASSES = "vgmanager-user-device-classes";
    private static final AgentSettings USUAL = AgentSettings.DEFAULT;

    private AgentFlags() {}

    public static List<Flag> flags() {
        return Stream.concat(own().stream(), AgentLogFlags.flags().stream()).toList();
    }

    private static List<Flag> own() {
        return List.of(
                words(COMMAND, USUAL.command(), "command that the node agents' pods run"),
                Flag.ofText(KUBELET, HostPaths.KUBELET, "kubelet's folder on the nodes"),
                Flag.ofText(
                        CONFIG,
                        "",
                        "folder of lvmd.yaml on the nodes; empty keeps the one that is in use, else"
                                + " takes what fits the cluster"),
                Flag.ofText(
                        MODULES,
                        "",
                        "folder of kernel modules on the nodes; empty takes /lib/modules, which"
                                + " need not exist"),
                words(SELECTOR, List.of(), "labels, KEY=VALUE, of the nodes that get an agent"),
                words(
                        ARCHITECTURES,
                        List.of(),
                        "architectures that the image is for, such as amd64,arm64; empty: the one"
                                + " of the operator's node"),
                Flag.ofText(
                        UNAVAILABLE,
                        USUAL.maxUnavailable(),
                        "how many node agents an update stops at once: a number or a percentage"),
                words(
                        REQUESTS,
                        USUAL.requests().entrySet().stream()
                                .map(request -> request.getKey() + "=" + request.getValue())
                                .sorted()
                                .toList(),
                        "what a node agent asks the scheduler for, RESOURCE=QUANTITY"),
                Flag.ofText(
                        CLASSES,
                        "",
                        "ConfigMap with device classes of groups that people made: NODE.yaml or"
                                + " default.yaml"),
                new Flag(
                        DISCOVER,
                        Flag.Kind.SWITCH,
                        "false",
                        "have the node agents publish the devices of their nodes as NativeStor"
                                + " does: see docs/nativestor.md"),
                new Flag(
                        RAW_DEVICES,
                        Flag.Kind.SWITCH,
                        "false",
                        "serve CSI driver nativestor.alauda.io, whose volumes are whole disks and"
                                + " partitions, here and on the nodes: see docs/nativestor.md"));
    }

    private static Flag words(String name, List<String> fallback, String meaning) {
        return new Flag(name, Flag.Kind.WORDS, String.join(",", fallback), meaning);
    }

    public static AgentSettings read(Flags flags, Environment environment) throws UsageException {
        var labels = pairs(flags, SELECTOR);
        var requests = pairs(flags, REQUESTS);
        var command = new ArrayList<>(flags.words(COMMAND));
        command.addAll(AgentLogFlags.read(flags));
        try {
            var paths =
                    HostPaths.DEFAULT
                            .kubelet(flags.text(KUBELET))
                            .config(flags.text(CONFIG))
                            .modules(flags.text(MODULES));
            return USUAL.command(command)
                    .paths(paths)
                    .nodes(new AgentNodes(labels).on(flags.words(ARCHITECTURES)))
                    .maxUnavailable(flags.text(UNAVAILABLE))
                    .requests(requests)
                    .userClasses(flags.text(CLASSES))
                    .features(
                            new AgentFeatures(
                                    flags.on(DISCOVER),
                                    flags.on(RAW_DEVICES),
                                    false,
                                    environment
                                            .variables()
                                            .getOrDefault(NativestorFlags.BLACKLIST.name(), ""),
                                    false));
        } catch (IllegalArgumentException e) {
            throw new UsageException("flags about the node agents: " + e.getMessage());
        }
    }

    private static Map<String, String> pairs(Flags flags, String name) throws UsageException {
        var pairs = new LinkedHashMap<String, String>();
        for (var word : flags.words(name)) {
            int equals = word.indexOf('=');
            if (equals <= 0) {
                throw new UsageException(
                        "flag --" + name + ": expected KEY=VALUE, found \"" + word + "\"");
            }
            pairs.put(word.substring(0, equals), word.substring(equals + 1));
        }
        return pairs;
    }
}
