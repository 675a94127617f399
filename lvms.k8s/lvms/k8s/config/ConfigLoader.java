package lvms.k8s.config;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Looks for the configuration where client-go does, in the same order. */
record ConfigLoader(Map<String, String> env, Path home, Path serviceAccount) {
    private static final Path SERVICE_ACCOUNT =
            Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    static ConfigLoader ofProcess() {
        return new ConfigLoader(
                System.getenv(), Path.of(System.getProperty("user.home", "/")), SERVICE_ACCOUNT);
    }

    KubeConfig load(Optional<Path> explicit) throws KubeConfigException {
        return load(explicit, Optional.empty());
    }

    /** A context that is asked for by name is one of a file: the pod's configuration has none. */
    KubeConfig load(Optional<Path> explicit, Optional<String> context) throws KubeConfigException {
        if (explicit.isPresent()) {
            return new KubeConfigFile(env, List.of(explicit.get())).resolve(context);
        }
        var candidates = candidates();
        var files = existing(candidates);
        if (!files.isEmpty()) {
            var file = new KubeConfigFile(env, files);
            if (!file.isEmpty()) {
                return file.resolve(context);
            }
        }
        if (context.isPresent()) {
            throw new KubeConfigException(
                    "no context \"" + context.get() + "\": no kubeconfig at " + names(candidates));
        }
        return inCluster("no kubeconfig at " + names(candidates) + ", and this is not a pod: ");
    }

    KubeConfig inCluster() throws KubeConfigException {
        return inCluster("this is not a pod: ");
    }

    private static String names(List<Path> files) {
        return files.stream().map(Path::toString).collect(Collectors.joining(", "));
    }

    private List<Path> candidates() {
        var list = env.getOrDefault("KUBECONFIG", "");
        if (list.isEmpty()) {
            return List.of(home.resolve(".kube").resolve("config"));
        }
        var paths = new LinkedHashSet<Path>();
        for (var entry : list.split(File.pathSeparator)) {
            if (!entry.isEmpty()) {
                paths.add(Path.of(entry));
            }
        }
        return List.copyOf(paths);
    }

    private static List<Path> existing(List<Path> paths) {
        var existing = new ArrayList<Path>();
        for (var path : paths) {
            if (Files.exists(path)) {
                existing.add(path);
            }
        }
        return existing;
    }

    private KubeConfig inCluster(String otherwise) throws KubeConfigException {
        var host = env.getOrDefault("KUBERNETES_SERVICE_HOST", "");
        var port = env.getOrDefault("KUBERNETES_SERVICE_PORT", "");
        if (host.isEmpty() || port.isEmpty()) {
            throw new KubeConfigException(
                    otherwise + "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set");
        }
        var bracketed = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        try {
            var namespace = Files.readString(serviceAccount.resolve("namespace"));
            return new ConfigBuilder(URI.create("https://" + bracketed + ":" + port))
                    .environmentProxy(env)
                    .namespace(namespace.strip())
                    .tokenFile(serviceAccount.resolve("token"))
                    .authority(serviceAccount.resolve("ca.crt"))
                    .build();
        } catch (IOException e) {
            throw new KubeConfigException("the pod's service account cannot be read: " + e, e);
        } catch (KubeConfigException e) {
            throw new KubeConfigException("the pod's service account: " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new KubeConfigException(
                    "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are no address: "
                            + e.getMessage(),
                    e);
        }
    }
}
