package lvms.api.nativestor;

import lvms.api.Driver;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.ObjectTree;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A RawDevice: one disk or partition of a node, which one claim can have whole.
 *
 * <p>The agent of the node makes it and writes everything but the wish for it, {@link #VOLUME}.
 *
 * @param object the object with every field
 * @param spec what the device is
 * @param volumeId the volume that has the device, which is the name of this object; empty if it is
 *     free
 */
public record RawDevice(KubeObject object, Spec spec, String volumeId) {
    public static final ResourceType TYPE =
            new ResourceType("nativestor.alauda.io", "v1", "RawDevice", "rawdevices", false);

    /** The CSI driver that hands raw devices out. */
    public static final Driver DRIVER = new Driver("nativestor.alauda.io");

    /** Label with the node, see {@link NodeObjects#labelValue}. */
    public static final String NODE_LABEL = "node";

    /**
     * Annotation with what identifies the device wherever it is plugged in: one {@code KIND=text}
     * in each line. NativeStor has nothing like it, so an object without it is one of NativeStor's
     * that no agent of ours has seen.
     */
    public static final String IDENTITY = "lvms.topolvm.io/device-identity";

    /** Annotation with the name of the volume that somebody wants the device for. */
    public static final String VOLUME = "lvms.topolvm.io/volume";

    /**
     * Annotation with the agent's answer to that if the volume cannot get the device: the name of
     * the volume, a space, and why.
     */
    public static final String REFUSAL = "lvms.topolvm.io/refusal";

    /**
     * Annotation of a device that a volume has, or had: with {@code used}, its content is
     * somebody's until it is erased.
     */
    public static final String CONTENT = "lvms.topolvm.io/content";

    /** Value of {@link #CONTENT}. */
    public static final String USED = "used";

    /**
     * Value of {@link #CONTENT} of an object that was made again for the volume that has the
     * device, until its status says so. It is not erased.
     */
    public static final String RESTORED = "restored";

    /**
     * Value of {@link #CONTENT} of an object that may be deleted although somebody's content stays
     * on the disk: the guard refuses that otherwise.
     */
    public static final String ABANDONED = "abandoned";

    /** Annotation with the bytes from the start that are erased. */
    public static final String ERASED = "lvms.topolvm.io/erased-bytes";

    /** Annotation with the {@link DeviceTenancy} of the device that a volume got. */
    public static final String TENANCY = "lvms.topolvm.io/tenancy";

    /** Annotation with the digest of the first MiB when the volume gave the device back. */
    public static final String LEFT = "lvms.topolvm.io/content-digest";

    /**
     * Annotation by which a person says that the device may be erased although nothing proves that
     * it is the one which the volume had: the {@link DeviceTenancy} of the one that is there, which
     * {@link #ERASURE_FAILURE} has.
     */
    public static final String CONFIRMED = "lvms.topolvm.io/erase-confirmed";

    /** Annotation that says why the device cannot be erased at the moment. */
    public static final String ERASURE_FAILURE = "lvms.topolvm.io/erasure-failure";

    /** What {@code spec.reason} begins with while the disk of a volume's device is missing. */
    public static final String GONE = "the device is gone";

    public RawDevice {
        Objects.requireNonNull(object, "object");
        Objects.requireNonNull(spec, "spec");
        Objects.requireNonNull(volumeId, "volumeId");
    }

    /**
     * What the device is.
     *
     * @param nodeName node that has it
     * @param sizeBytes size in bytes
     * @param type kind, in the words of lsblk(8)
     * @param realPath path on the node, such as {@code /dev/sdb} or {@code /dev/mapper/mpatha}; it
     *     may be another one after the next boot
     * @param major major number, which may change in the same way
     * @param minor minor number
     * @param uuid empty in objects of ours: NativeStor writes another random UUID with each look at
     *     a disk without a partition table
     * @param available whether a claim can get it
     * @param reason why not; empty if one can
     */
    public record Spec(
            String nodeName,
            long sizeBytes,
            String type,
            String realPath,
            int major,
            int minor,
            String uuid,
            boolean available,
            String reason) {
        public Spec {
            Objects.requireNonNull(nodeName, "nodeName");
            Objects.requireNonNull(type, "type");
            Objects.requireNonNull(realPath, "realPath");
            Objects.requireNonNull(uuid, "uuid");
            Objects.requireNonNull(reason, "reason");
        }

        private static Spec of(ObjectTree tree) {
            return new Spec(
                    tree.text("nodeName").orElse(""),
                    tree.number("size").orElse(0),
                    tree.text("type").orElse(""),
                    tree.text("realPath").orElse(""),
                    Math.toIntExact(tree.number("major").orElse(0)),
                    Math.toIntExact(tree.number("minor").orElse(0)),
                    tree.text("uuid").orElse(""),
                    tree.flag("available").orElse(false),
                    tree.text("reason").orElse(""));
        }

        /** Returns the JSON form; the reason is left out if there is none. */
        public ObjectTree json() {
            var tree = ObjectTree.builder();
            tree.put("nodeName", nodeName);
            tree.put("size", sizeBytes);
            tree.put("type", type);
            tree.put("realPath", realPath);
            tree.put("major", major);
            tree.put("minor", minor);
            tree.put("uuid", uuid);
            tree.put("available", available);
            if (!reason.isEmpty()) {
                tree.put("reason", reason);
            }
            return tree.build();
        }

        /** Returns the same device as one that no claim can get. */
        public Spec unavailable(String why) {
            return new Spec(nodeName, sizeBytes, type, realPath, major, minor, uuid, false, why);
        }
    }

    /** Reads an object; what is missing is empty. */
    public static RawDevice of(KubeObject object) {
        return new RawDevice(
                object,
                Spec.of(object.object("spec").orElse(ObjectTree.EMPTY)),
                object.text("status", "name").orElse(""));
    }

    /** Returns the object of a device that has none yet. */
    public static KubeObject create(String name, Spec spec, Map<String, String> identity) {
        var object =
                KubeObject.create(TYPE, ObjectKey.cluster(name))
                        .with(
                                NodeObjects.labelValue(spec.nodeName()),
                                "metadata",
                                "labels",
                                NODE_LABEL)
                        .with(spec.json(), "spec");
        return identity.isEmpty()
                ? object
                : object.with(text(identity), "metadata", "annotations", IDENTITY);
    }

    /** Returns the name that NativeStor gives the object of a device. */
    public static String nameOf(String node, String realPath) {
        return NodeObjects.hash(node + realPath);
    }

    /** Returns the value of {@link #IDENTITY}, in the order of the map. */
    public static String text(Map<String, String> identity) {
        return identity.entrySet().stream()
                .map(mark -> mark.getKey() + "=" + mark.getValue())
                .collect(Collectors.joining("\n"));
    }

    public String name() {
        return object.name();
    }

    /** Returns what identifies the device, by kind; empty if that is not known. */
    public Map<String, String> identity() {
        return identity(object);
    }

    static Map<String, String> identity(KubeObject object) {
        var marks = new LinkedHashMap<String, String>();
        object.annotation(IDENTITY)
                .orElse("")
                .lines()
                .map(line -> line.split("=", 2))
                .filter(mark -> mark.length == 2)
                .forEach(mark -> marks.put(mark[0], mark[1]));
        return marks;
    }

    /** Returns whether a volume has the device. */
    public boolean allocated() {
        return !volumeId.isEmpty();
    }

    /** Returns the name of the volume that the device is, or is to be, for. */
    public Optional<String> volume() {
        return object.annotation(VOLUME).filter(name -> !name.isEmpty());
    }

    /** Returns why the volume that is wanted cannot get the device; empty if nobody has said so. */
    public Optional<String> refusal() {
        return volume().flatMap(this::refusal);
    }

    /** Returns why a volume cannot get the device, as far as the last answer was about that one. */
    public Optional<String> refusal(String volume) {
        return object.annotation(REFUSAL)
                .filter(answer -> answer.startsWith(volume + " "))
                .map(answer -> answer.substring(volume.length() + 1));
    }

    /** Returns whether the disk is missing. */
    public boolean lost() {
        return spec.reason().startsWith(GONE);
    }

    /** Returns whether the content is a volume's, which has the device or had it. */
    public boolean used() {
        return object.annotation(CONTENT).isPresent();
    }

    /** Returns whether a volume has it, or left something on it. */
    public boolean held() {
        return allocated() || used();
    }

    /** Returns whether it has to be erased before another volume can have it. */
    public boolean toBeErased() {
        return used() && !allocated() && !restored();
    }

    /**
     * Returns whether it was made again for a volume, and nothing else says yet that it has one.
     */
    public boolean restored() {
        return object.annotation(CONTENT).filter(RESTORED::equals).isPresent();
    }

    /** Returns how many bytes from the start are erased. */
    public long erasedBytes() {
        try {
            return Math.max(0, object.annotation(ERASED).map(Long::parseLong).orElse(0L));
        } catch (NumberFormatException _) {
            return 0; // whoever wrote that: all of it is erased
        }
    }

    /** Returns whether its erasure has begun, or was prepared. */
    public boolean beingErased() {
        return erasedBytes() > 0
                || object.annotation(LEFT).isPresent()
                || object.annotation(CONFIRMED).isPresent();
    }

    /** Returns the device that a volume got; empty if nobody has noted that. */
    public Optional<DeviceTenancy> tenancy() {
        return object.annotation(TENANCY).flatMap(DeviceTenancy::of);
    }

    public Optional<String> erasureFailure() {
        return object.annotation(ERASURE_FAILURE);
    }

    /** Returns whether it can be asked for. */
    public boolean free() {
        return spec.available()
                && !allocated()
                && !used()
                && volume().isEmpty()
                && !object.terminating();
    }
}
