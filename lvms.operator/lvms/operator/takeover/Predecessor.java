package lvms.operator.takeover;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.operator.takeover.Takeover.LvmdJudge;
import lvms.operator.uninstall.Item;
import lvms.operator.uninstall.Reads;

import java.util.List;
import java.util.Optional;

/** A system whose place we can take. */
sealed interface Predecessor permits Lvms, NativeStor, Topolvm, TopolvmLegacy {
    /** The systems there are. */
    List<Predecessor> ALL = all(LvmdJudge.NONE);

    private static List<Predecessor> all(LvmdJudge files) {
        return List.of(new Lvms(), new NativeStor(), new Topolvm(files), new TopolvmLegacy());
    }

    /** Finds one by its name. */
    static Optional<Predecessor> of(String name, LvmdJudge files) {
        return all(files).stream().filter(system -> system.name().equals(name)).findFirst();
    }

    /** What people call it in a command. */
    String name();

    /** What tells where it is, in the plural, for people. */
    String sign();

    /** Finds the namespaces where it is. */
    List<String> namespaces(Reads reads) throws ApiException, InterruptedException;

    /**
     * Reads what belongs to it.
     *
     * @param namespace where its operator is
     */
    List<Part> parts(Reads reads, String namespace) throws ApiException, InterruptedException;

    /** Says what a person has to do before its place can be taken. */
    List<String> obstacles(List<Part> parts, String namespace);

    /** Changes that its objects need before our operator starts; none that was made before. */
    List<Step> changes(List<Part> parts);

    /**
     * Whether our command gives its place back, from what it wrote down. If not, {@link #returning}
     * says what does, or that nothing does, and has no steps.
     */
    default boolean isGivenBackByUs() {
        return true;
    }

    /**
     * What giving its place back takes besides bringing back what went.
     *
     * @param obstacles what a person has to do first
     * @param notes what a person should know
     * @param steps done once ours has ended, and before anything comes back
     */
    record Return(List<String> obstacles, List<String> notes, List<Step> steps) {}

    /**
     * Says what its way back takes. There is no default: what our agents made meanwhile is
     * something else to each system.
     */
    Return returning(Reads reads, String namespace) throws ApiException, InterruptedException;

    /** Whether its node part is other objects than ours is, so that both would work at once. */
    default boolean hasOwnNodePart() {
        return false;
    }

    /** Whether the way back waits for a workload that comes back. */
    default boolean awaits(KubeObject workload) {
        return true;
    }

    /** Orders what comes back, from the order in which it went. */
    default List<Item> inOrderOfReturn(List<Item> items) {
        return items;
    }

    /** Says what is missing before a take-over may be confirmed. */
    List<String> unfinished(Reads reads, String namespace)
            throws ApiException, InterruptedException;

    /** Changes for what nobody will take care of once a take-over is confirmed. */
    default List<Step> farewell(Reads reads) throws ApiException, InterruptedException {
        return List.of();
    }

    /** What a person does after the place was taken. */
    String next();

    /** Says what a person should know, such as which pools get no new volumes from us. */
    List<String> notes(KubeClient kube, List<Part> parts) throws ApiException, InterruptedException;

    /**
     * Names the fields of an LVMCluster that it does not know, and would drop.
     *
     * @param cluster as it is now
     */
    default List<String> unknownFields(KubeObject cluster) {
        return List.of();
    }
}
