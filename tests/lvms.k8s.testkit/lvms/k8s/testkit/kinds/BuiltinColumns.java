package lvms.k8s.testkit.kinds;

import lvms.k8s.testkit.kinds.Resource.Column;

import java.util.ArrayList;
import java.util.List;

/**
 * The columns that tables show for built-in resources, after the name. A row is the plural, then
 * columns as {@code Name=path}, {@code Name#path} for numbers, {@code Name@path} for ages; a {@code
 * +} before the name marks a column of the wide form. Paths that start with {@code %} name a
 * computed cell.
 */
final class BuiltinColumns {
    private static final String TABLE =
            """
            namespaces Status=.status.phase Age@.metadata.creationTimestamp
            nodes Status=%nodeStatus Roles=%nodeRoles Age@.metadata.creationTimestamp \
            Version=.status.nodeInfo.kubeletVersion +Internal-IP=%nodeAddress \
            +OS-Image=.status.nodeInfo.osImage +Kernel-Version=.status.nodeInfo.kernelVersion \
            +Container-Runtime=.status.nodeInfo.containerRuntimeVersion
            pods Ready=%podReady Status=%podStatus Restarts=%podRestarts \
            Age@.metadata.creationTimestamp +IP=%podAddress +Node=%podNode
            persistentvolumeclaims Status=%claimStatus Volume=.spec.volumeName \
            Capacity=.status.capacity.storage Access_Modes=%claimModes \
            StorageClass=.spec.storageClassName VolumeAttributesClass=%attributesClass \
            Age@.metadata.creationTimestamp +VolumeMode=.spec.volumeMode
            persistentvolumes Capacity=.spec.capacity.storage Access_Modes=%volumeModes \
            Reclaim_Policy=.spec.persistentVolumeReclaimPolicy Status=%volumeStatus \
            Claim=%volumeClaim StorageClass=.spec.storageClassName \
            VolumeAttributesClass=%attributesClass Reason=.status.reason \
            Age@.metadata.creationTimestamp +VolumeMode=.spec.volumeMode
            configmaps Data#%dataCount Age@.metadata.creationTimestamp
            secrets Type=.type Data#%dataCount Age@.metadata.creationTimestamp
            serviceaccounts Secrets#%secretCount Age@.metadata.creationTimestamp
            services Type=.spec.type Cluster-IP=.spec.clusterIP External-IP=%none \
            Port(s)=%servicePorts Age@.metadata.creationTimestamp
            events Last_Seen=%eventSeen Type=.type Reason=.reason Object=%eventObject \
            Message=.message
            leases Holder=.spec.holderIdentity Age@.metadata.creationTimestamp
            storageclasses Provisioner=.provisioner ReclaimPolicy=.reclaimPolicy \
            VolumeBindingMode=.volumeBindingMode AllowVolumeExpansion=%classExpansion \
            Age@.metadata.creationTimestamp
            csidrivers AttachRequired=.spec.attachRequired PodInfoOnMount=.spec.podInfoOnMount \
            StorageCapacity=.spec.storageCapacity TokenRequests=%none \
            RequiresRepublish=.spec.requiresRepublish Modes=%driverModes \
            Age@.metadata.creationTimestamp
            csinodes Drivers#%driverCount Age@.metadata.creationTimestamp
            csistoragecapacities StorageClassName=.storageClassName Capacity=.capacity
            volumeattributesclasses DriverName=.driverName Age@.metadata.creationTimestamp
            volumeattachments Attacher=.spec.attacher PV=.spec.source.persistentVolumeName \
            Node=.spec.nodeName Attached=.status.attached Age@.metadata.creationTimestamp
            daemonsets Desired#.status.desiredNumberScheduled \
            Current#.status.currentNumberScheduled Ready#.status.numberReady \
            Up-to-date#.status.updatedNumberScheduled Available#.status.numberAvailable \
            Node_Selector=%nodeSelector Age@.metadata.creationTimestamp
            deployments Ready=%replicasReady Up-to-date#.status.updatedReplicas \
            Available#.status.availableReplicas Age@.metadata.creationTimestamp
            statefulsets Ready=%replicasReady Age@.metadata.creationTimestamp
            replicasets Desired#.spec.replicas Current#.status.replicas \
            Ready#.status.readyReplicas Age@.metadata.creationTimestamp
            customresourcedefinitions Created_At=.metadata.creationTimestamp
            roles Created_At=.metadata.creationTimestamp
            clusterroles Created_At=.metadata.creationTimestamp
            rolebindings Role=%roleRef Age@.metadata.creationTimestamp
            clusterrolebindings Role=%roleRef Age@.metadata.creationTimestamp
            validatingwebhookconfigurations Webhooks#%webhookCount Age@.metadata.creationTimestamp
            mutatingwebhookconfigurations Webhooks#%webhookCount Age@.metadata.creationTimestamp
            validatingadmissionpolicies Validations#%validationCount ParamKind=%none \
            Age@.metadata.creationTimestamp
            validatingadmissionpolicybindings PolicyName=.spec.policyName ParamRef=%none \
            Age@.metadata.creationTimestamp
            """;

    static final List<Column> AGE_ONLY = List.of(column("Age@.metadata.creationTimestamp"));

    private BuiltinColumns() {}

    static List<Column> of(String plural) {
        for (var row : TABLE.split("\n")) {
            var words = row.split(" ");
            if (words[0].equals(plural)) {
                var columns = new ArrayList<Column>();
                for (int i = 1; i < words.length; i++) {
                    columns.add(column(words[i]));
                }
                return columns;
            }
        }
        return AGE_ONLY;
    }

    private static Column column(String text) {
        boolean wide = text.startsWith("+");
        var rest = wide ? text.substring(1) : text;
        int mark = 0;
        while ("=#@".indexOf(rest.charAt(mark)) < 0) {
            mark++;
        }
        var type =
                switch (rest.charAt(mark)) {
                    case '#' -> "integer";
                    case '@' -> "date";
                    default -> "string";
                };
        return new Column(
                rest.substring(0, mark).replace('_', ' '),
                type,
                "",
                rest.substring(mark + 1),
                wide ? 1 : 0,
                "");
    }
}
