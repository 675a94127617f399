package lvms.k8s.config;

import lvms.k8s.secret.Source;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.k8s.yaml.YamlException;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Kubeconfig files, merged. If a name occurs twice, the first entry wins as a whole; for a scalar,
 * the first file that sets it wins. A relative path starts at the folder of its file.
 */
final class KubeConfigFile {
    /**
     * A named entry and the folder of its file.
     *
     * @param tree content
     * @param folder the folder that relative paths resolve against
     */
    record Entry(ObjectTree tree, Path folder) {
        Optional<String> text(String name) {
            return tree.text(name).filter(value -> !value.isEmpty());
        }

        /** Returns the inline data if present, else the file. */
        Optional<Source> source(String name) throws KubeConfigException {
            var inline = text(name + "-data");
            if (inline.isPresent()) {
                try {
                    var bytes = Base64.getMimeDecoder().decode(inline.get());
                    return Optional.of(new Source.Inline(bytes));
                } catch (IllegalArgumentException e) {
                    throw new KubeConfigException(name + "-data is not base64", e);
                }
            }
            return text(name).map(path -> new Source.File(folder.resolve(path)));
        }
    }

    private static final Path STANDARD_INPUT = Path.of("-");
    private static final Entry NOTHING = new Entry(ObjectTree.EMPTY, Path.of(""));

    private final Map<String, String> env;
    private final Map<String, Entry> clusters = new HashMap<>();
    private final Map<String, Entry> users = new HashMap<>();
    private final Map<String, Entry> contexts = new HashMap<>();
    private String currentContext = "";

    KubeConfigFile(Map<String, String> env, List<Path> files) throws KubeConfigException {
        this.env = env;
        for (var file : files) {
            add(file);
        }
    }

    /** To open {@code /dev/stdin} may wait for ever, or be forbidden. */
    private static String text(Path file) throws IOException {
        return file.equals(STANDARD_INPUT)
                ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                : Files.readString(file, StandardCharsets.UTF_8);
    }

    private void add(Path file) throws KubeConfigException {
        try {
            var folder = file.toAbsolutePath().getParent();
            var content = Yaml.read(text(file));
            if (content instanceof ObjectTree tree) {
                collect(tree, "clusters", "cluster", folder, clusters);
                collect(tree, "users", "user", folder, users);
                collect(tree, "contexts", "context", folder, contexts);
                if (currentContext.isEmpty()) {
                    currentContext = tree.text("current-context").orElse("");
                }
            } else if (!content.isNull()) {
                throw new KubeConfigException("kubeconfig " + file + ": expected a mapping");
            }
        } catch (IOException | YamlException e) {
            throw new KubeConfigException("kubeconfig " + file + ": " + e.getMessage(), e);
        }
    }

    private static void collect(
            ObjectTree tree, String list, String member, Path folder, Map<String, Entry> into) {
        if (tree.at(list) instanceof ListTree array) {
            for (var element : array) {
                if (element instanceof ObjectTree named
                        && named.at(member) instanceof ObjectTree content) {
                    var name = named.text("name").orElse("");
                    into.putIfAbsent(name, new Entry(content, folder));
                }
            }
        }
    }

    boolean isEmpty() {
        return clusters.isEmpty() && contexts.isEmpty() && currentContext.isEmpty();
    }

    KubeConfig resolve() throws KubeConfigException {
        if (currentContext.isEmpty()) {
            throw new KubeConfigException("kubeconfig has no current-context");
        }
        var context = named(contexts, "context", currentContext);
        var cluster = named(clusters, "cluster", context.text("cluster").orElse(""));
        var userName = context.text("user");
        var user = userName.isPresent() ? named(users, "user", userName.get()) : NOTHING;
        try {
            var server = URI.create(cluster.text("server").orElse(""));
            var builder = new ConfigBuilder(server, env);
            context.text("namespace").ifPresent(namespace -> builder.namespace = namespace);
            builder.authority = cluster.source("certificate-authority");
            builder.serverName = cluster.text("tls-server-name");
            builder.insecure = cluster.tree.flag("insecure-skip-tls-verify").orElse(false);
            builder.proxy = cluster.text("proxy-url").map(URI::create);
            builder.impersonation = Impersonation.of(user.tree);
            builder.credentials = UserCredentials.of(user, cluster, env);
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw new KubeConfigException("kubeconfig: " + e.getMessage(), e);
        }
    }

    private static Entry named(Map<String, Entry> entries, String what, String name)
            throws KubeConfigException {
        var entry = entries.get(name);
        if (entry == null) {
            throw new KubeConfigException("kubeconfig has no " + what + " \"" + name + "\"");
        }
        return entry;
    }
}
