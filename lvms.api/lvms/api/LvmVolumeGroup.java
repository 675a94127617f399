package lvms.api;

import lvms.api.field.Fields;
import lvms.api.listing.GroupListing;
import lvms.api.listing.GroupNames;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Objects;

/**
 * An LVMVolumeGroup: one volume group, the same on each of its nodes.
 *
 * <p>Its name is also the name of the device class and of the volume group in LVM, unless the spec
 * names them.
 *
 * @param object the object with every field
 * @param spec what it asks for
 */
public record LvmVolumeGroup(KubeObject object, Spec spec) {
    /** LVMVolumeGroup in {@code lvm.topolvm.io/v1alpha1}. */
    public static final ResourceType TYPE =
            new ResourceType(
                    Names.LVM_GROUP, Names.LVM_VERSION, "LVMVolumeGroup", "lvmvolumegroups", true);

    public LvmVolumeGroup {
        Objects.requireNonNull(object, "object");
        Objects.requireNonNull(spec, "spec");
    }

    /**
     * What is asked for.
     *
     * @param isDefault whether volumes that name no device class come here
     * @param group what the volume group must look like on each of its nodes
     * @param listing what only a class says that was listed node by node
     */
    public record Spec(boolean isDefault, VolumeGroupTemplate group, GroupListing listing) {
        public Spec {
            Objects.requireNonNull(group, "group");
            Objects.requireNonNull(listing, "listing");
        }

        /** Makes that of a class of an LVMCluster. */
        public Spec(boolean isDefault, VolumeGroupTemplate group) {
            this(isDefault, group, GroupListing.NONE);
        }

        /**
         * Reads the JSON form.
         *
         * @throws IllegalArgumentException if the schema does not allow a value
         */
        public static Spec of(ObjectTree tree) {
            return new Spec(
                    Fields.flag(tree, "default"),
                    VolumeGroupTemplate.of(tree),
                    GroupListing.of(tree));
        }

        public ObjectTree json() {
            var tree = ObjectTree.builder();
            tree.put("default", isDefault);
            group.addTo(tree);
            listing.addTo(tree);
            return tree.build();
        }
    }

    /**
     * Reads an object.
     *
     * @throws IllegalArgumentException if the schema does not allow a value
     */
    public static LvmVolumeGroup of(KubeObject object) {
        return new LvmVolumeGroup(object, Spec.of(object.object("spec").orElse(ObjectTree.EMPTY)));
    }

    public String name() {
        return object.name();
    }

    /** Returns the name of the device class, which several objects on different nodes may share. */
    public String deviceClass() {
        return spec.listing().deviceClassName().orElse(name());
    }

    /** Returns the name of the volume group in LVM. */
    public String volumeGroup() {
        return spec.listing().volumeGroupName().orElse(name());
    }

    public GroupNames names() {
        return new GroupNames(name(), deviceClass(), volumeGroup());
    }

    /** Returns the nodes that still have to clean up before the object may go. */
    public List<String> nodesWithFinalizer() {
        return object.finalizers().stream()
                .filter(f -> f.startsWith(Names.NODE_CLEANUP_FINALIZER_PREFIX))
                .map(f -> f.substring(Names.NODE_CLEANUP_FINALIZER_PREFIX.length()))
                .toList();
    }

    /** Returns whether the devices were wiped on the node already. */
    public boolean wipedOn(String node) {
        return object.annotations().containsKey(Names.wipedAnnotation(node));
    }
}
