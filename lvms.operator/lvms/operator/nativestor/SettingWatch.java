package lvms.operator.nativestor;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.KubeClient;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.event.EventReason;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Follows the ConfigMap with NativeStor's settings, under each of the names that it had: the first
 * one that is there counts. Any thread may use it.
 */
public final class SettingWatch implements AutoCloseable {
    /** The names of the ConfigMap, the newest first; the last one is spelt like this. */
    public static final List<String> NAMES =
            List.of("nativestor-setting", "topolvm-operator-setting", "tooplvm-operator-setting");

    private static final System.Logger LOG = System.getLogger(SettingWatch.class.getName());

    private final String namespace;
    private final Map<String, String> environment;
    private final EventRecorder events;
    private final List<Informer> configMaps;
    private Optional<NativeStorSettings> settings = Optional.empty();
    private final Map<SettingKey, String> refused = new EnumMap<>(SettingKey.class);
    private final Set<String> said = new HashSet<>(); // what still holds of it

    /**
     * Makes one that follows nothing before {@link #start}.
     *
     * @param environment variables of the operator, which count where the ConfigMap says nothing
     */
    public SettingWatch(
            KubeClient kube,
            String namespace,
            Map<String, String> environment,
            EventRecorder events) {
        this.namespace = namespace;
        this.environment = new HashMap<>(environment);
        this.environment.keySet().removeIf(name -> SettingKey.find(name).isEmpty());
        this.events = events;
        this.configMaps =
                NAMES.stream()
                        .map(
                                name ->
                                        Informer.of(kube, Types.CONFIG_MAP)
                                                .namespace(namespace)
                                                .fieldSelector("metadata.name=" + name)
                                                .build())
                        .toList();
    }

    /** Calls this after each change of a ConfigMap. */
    public void onChange(Runnable handler) {
        configMaps.forEach(informer -> informer.addHandler((_, _) -> handler.run()));
    }

    public void start() {
        configMaps.forEach(Informer::start);
    }

    /** Returns whether it is known which ConfigMaps there are. */
    public boolean ready() {
        return configMaps.stream().allMatch(Informer::following);
    }

    /** Returns what is asked for now, and says what is new about it. */
    public synchronized NativeStorSettings now() {
        var configMap = configMap();
        var present =
                NativeStorSettings.of(
                        new SettingSource(
                                configMap.map(KubeObject::name).orElse(""),
                                configMap.map(SettingWatch::data).orElse(Map.of()),
                                environment));
        if (!settings.equals(Optional.of(present))) {
            report(present, configMap);
            settings = Optional.of(present);
        }
        return present;
    }

    /** Says, unless it is known, why the value of a key cannot be followed yet. */
    public synchronized void refuse(SettingKey key, String why) {
        if (!why.equals(refused.put(key, why))) {
            LOG.log(WARNING, () -> "a setting is refused key=" + key + " reason=\"" + why + "\"");
            configMap().ifPresent(map -> events.record(map, EventReason.SETTING_REFUSED, why));
        }
    }

    /** Takes a refusal back, so that the next one is said again. */
    public synchronized void follow(SettingKey key) {
        refused.remove(key);
    }

    /** Returns why values cannot be followed yet. */
    public synchronized List<String> refused() {
        return List.copyOf(refused.values());
    }

    private Optional<KubeObject> configMap() {
        for (int i = 0; i < NAMES.size(); i++) {
            var found = configMaps.get(i).get(ObjectKey.of(namespace, NAMES.get(i)));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Map<String, String> data(KubeObject configMap) {
        var data = new HashMap<String, String>();
        configMap
                .object("data")
                .ifPresent(tree -> tree.members().forEach((k, v) -> data.put(k, v.asText())));
        return data;
    }

    private void report(NativeStorSettings present, Optional<KubeObject> configMap) {
        LOG.log(INFO, () -> "NativeStor's settings read configMap=" + present.source());
        for (var problem : present.problems()) {
            if (!said.contains(problem)) {
                LOG.log(WARNING, () -> "a setting is broken: " + problem);
                configMap.ifPresent(map -> events.record(map, EventReason.SETTING_BROKEN, problem));
            }
        }
        var unused = String.join(", ", present.unused());
        var useless = present.source() + ": " + unused;
        if (!unused.isEmpty() && !said.contains(useless)) {
            LOG.log(INFO, () -> "settings without effect: " + unused);
            configMap.ifPresent(map -> events.record(map, EventReason.SETTING_UNUSED, unused));
        }
        said.clear();
        said.addAll(present.problems());
        said.add(useless);
    }

    @Override
    public void close() {
        configMaps.forEach(Informer::close);
    }
}
