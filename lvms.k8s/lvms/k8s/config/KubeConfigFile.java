package lvms.k8s.config;

import lvms.k8s.secret.Source;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.k8s.yaml.YamlException;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Kubeconfig files, merged. If a name occurs twice, the first entry wins as a whole; for a scalar,
 * the first file that sets it wins. A relative path starts at the folder of its file.
 */
final class KubeConfigFile {
    /**
     * A mapping of a file. A member of another type than the one asked for is a failure, since to
     * leave out a token that was written as a number would be a login as nobody. No failure holds a
     * value: it may be a secret.
     *
     * @param tree content
     * @param folder the folder that relative paths resolve against
     * @param what it is, for messages: {@code user "u" of /path/config}
     */
    record Entry(ObjectTree tree, Path folder, String what) {
        KubeConfigException bad(String why) {
            return new KubeConfigException(what + ": " + why);
        }

        /** Returns a text; empty text is as good as none. */
        Optional<String> text(String name) throws KubeConfigException {
            var value = tree.at(name);
            if (value.isNull()) {
                return Optional.empty();
            }
            var text = value.text().orElseThrow(() -> bad(name + ": expected text; quote it"));
            return text.isEmpty() ? Optional.empty() : Optional.of(text);
        }

        boolean flag(String name) throws KubeConfigException {
            var value = tree.at(name);
            if (value.isNull()) {
                return false;
            }
            return value.flag().orElseThrow(() -> bad(name + ": expected true or false"));
        }

        List<String> texts(String name) throws KubeConfigException {
            var texts = new ArrayList<String>();
            for (var element : list(name)) {
                texts.add(
                        element.text().orElseThrow(() -> bad(name + ": expected a list of texts")));
            }
            return texts;
        }

        List<Entry> entries(String name) throws KubeConfigException {
            var entries = new ArrayList<Entry>();
            for (var element : list(name)) {
                if (!(element instanceof ObjectTree object)) {
                    throw bad(name + ": expected a list of mappings");
                }
                entries.add(new Entry(object, folder, what + ", " + name));
            }
            return entries;
        }

        private ListTree list(String name) throws KubeConfigException {
            var value = tree.at(name);
            if (value.isNull()) {
                return ListTree.EMPTY;
            }
            if (!(value instanceof ListTree list)) {
                throw bad(name + ": expected a list");
            }
            return list;
        }

        Optional<Entry> entry(String name) throws KubeConfigException {
            var value = tree.at(name);
            if (value.isNull()) {
                return Optional.empty();
            }
            if (!(value instanceof ObjectTree object)) {
                throw bad(name + ": expected a mapping");
            }
            return Optional.of(new Entry(object, folder, what + ", " + name));
        }

        /** Returns the inline data if present, else the file. */
        Optional<Source> source(String name) throws KubeConfigException {
            var inline = text(name + "-data");
            if (inline.isPresent()) {
                try {
                    var packed = inline.get().replaceAll("\\s", "");
                    return Optional.of(new Source.Inline(Base64.getDecoder().decode(packed)));
                } catch (IllegalArgumentException _) {
                    throw bad(name + "-data is not base64");
                }
            }
            var path = text(name);
            return path.isPresent()
                    ? checked(() -> Optional.of(new Source.File(folder.resolve(path.get()))))
                    : Optional.empty();
        }

        /** Returns the URL; a failure does not show it, since it may hold a password. */
        Optional<URI> url(String name) throws KubeConfigException {
            var url = text(name);
            try {
                return url.isPresent() ? Optional.of(new URI(url.get())) : Optional.empty();
            } catch (URISyntaxException _) {
                throw bad(name + " is not a URL");
            }
        }

        /** A step that may fail. */
        interface Step<T> {
            T make() throws IOException, KubeConfigException;
        }

        /** Makes a step whose failure names this entry. */
        <T> T checked(Step<T> step) throws KubeConfigException {
            try {
                return step.make();
            } catch (IOException | IllegalArgumentException | KubeConfigException e) {
                var why = String.valueOf(e.getMessage());
                throw new KubeConfigException(why.startsWith(what) ? why : what + ": " + why, e);
            }
        }
    }

    private static final int MOST_NAMES = 8;
    private static final Path STANDARD_INPUT = Path.of("-");

    private final Map<String, String> env;
    private final List<Path> files;
    private final Map<String, Entry> clusters = new HashMap<>();
    private final Map<String, Entry> users = new HashMap<>();
    private final Map<String, Entry> contexts = new HashMap<>();
    private String currentContext = "";

    KubeConfigFile(Map<String, String> env, List<Path> files) throws KubeConfigException {
        this.env = env;
        this.files = List.copyOf(files);
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
                var whole = new Entry(tree, folder, "kubeconfig " + file);
                collect(whole, "clusters", "cluster", file, clusters);
                collect(whole, "users", "user", file, users);
                collect(whole, "contexts", "context", file, contexts);
                if (currentContext.isEmpty()) {
                    currentContext = whole.text("current-context").orElse("");
                }
            } else if (!content.isNull()) {
                throw new KubeConfigException("kubeconfig " + file + ": expected a mapping");
            }
        } catch (YamlException e) {
            throw new KubeConfigException("kubeconfig " + file + ": " + e.getMessage(), e);
        } catch (NoSuchFileException e) {
            throw new KubeConfigException("kubeconfig " + file + ": there is no such file", e);
        } catch (AccessDeniedException e) {
            throw new KubeConfigException("kubeconfig " + file + ": no permission to read it", e);
        } catch (CharacterCodingException e) {
            throw new KubeConfigException("kubeconfig " + file + ": it is not UTF-8", e);
        } catch (IOException e) {
            throw new KubeConfigException("kubeconfig " + file + ": " + e, e);
        }
    }

    private static void collect(
            Entry whole, String list, String member, Path file, Map<String, Entry> into)
            throws KubeConfigException {
        for (var named : whole.entries(list)) {
            var name = named.text("name").orElse("");
            var content = named.entry(member);
            if (content.isPresent()) {
                var what = member + " \"" + name + "\" of " + file;
                var tree = content.get().tree();
                into.putIfAbsent(name, new Entry(tree, whole.folder(), what));
            }
        }
    }

    boolean isEmpty() {
        return clusters.isEmpty() && contexts.isEmpty() && currentContext.isEmpty();
    }

    /** Returns what the context says, or the current one if that is empty. */
    KubeConfig resolve(Optional<String> wanted) throws KubeConfigException {
        if (isEmpty() && users.isEmpty()) {
            throw new KubeConfigException(here() + " is empty");
        }
        var name = wanted.orElse(currentContext);
        if (name.isEmpty()) {
            throw new KubeConfigException(
                    here() + " has no current-context; " + there(contexts, "context"));
        }
        var context = contexts.get(name);
        if (context == null) {
            var why = " has no context \"" + name + "\"; " + there(contexts, "context");
            throw new KubeConfigException(here() + why);
        }
        var cluster = named(context, "cluster", clusters);
        var user =
                context.text("user").isPresent()
                        ? named(context, "user", users)
                        : new Entry(ObjectTree.EMPTY, Path.of(""), "no user");
        var server = cluster.url("server").orElseThrow(() -> cluster.bad("there is no server"));
        return cluster.checked(builder(server, context, cluster, user)::build);
    }

    private ConfigBuilder builder(URI server, Entry context, Entry cluster, Entry user)
            throws KubeConfigException {
        var builder = new ConfigBuilder(server).environmentProxy(env);
        var namespace = context.text("namespace");
        namespace.ifPresent(builder::namespace);
        cluster.source("certificate-authority").ifPresent(builder::authority);
        cluster.text("tls-server-name").ifPresent(builder::serverName);
        builder.insecureSkipTlsVerify(cluster.flag("insecure-skip-tls-verify"));
        builder.disableCompression(cluster.flag("disable-compression"));
        cluster.url("proxy-url").ifPresent(builder::proxy);
        user.checked(() -> UserCredentials.impersonation(user)).ifPresent(builder::impersonate);
        var credentials = UserCredentials.of(user, cluster, env);
        return user.checked(
                () -> {
                    credentials.check(); // a failure of the whole would not name the user
                    return builder.credentials(credentials);
                });
    }

    private String here() {
        return "kubeconfig " + String.join(", ", files.stream().map(Path::toString).toList());
    }

    private static Entry named(Entry context, String what, Map<String, Entry> entries)
            throws KubeConfigException {
        var name = context.text(what).orElseThrow(() -> context.bad(what + ": there is none"));
        var entry = entries.get(name);
        if (entry == null) {
            throw context.bad("there is no " + what + " \"" + name + "\"; " + there(entries, what));
        }
        return entry;
    }

    /** Names are no secrets; a file may have many. */
    private static String there(Map<String, Entry> entries, String what) {
        var names = entries.keySet().stream().sorted().toList();
        var shown = names.stream().limit(MOST_NAMES).map(name -> '"' + name + '"');
        return names.isEmpty()
                ? "there is no " + what
                : "there is "
                        + shown.collect(Collectors.joining(", "))
                        + (names.size() > MOST_NAMES ? " and others" : "");
    }
}
