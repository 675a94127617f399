package lvms.operator.provision;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.operator.claim.Claim;
import lvms.operator.claim.StorageClass;

/** Objects out of JSON with single quotes. */
final class Objects {
    private Objects() {}

    static KubeObject object(String text) {
        return KubeObject.of(Json.parse(text.replace('\'', '"')).asObject());
    }

    static Claim claim(String annotations, String spec) {
        return new Claim(
                object(
                        "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'data',"
                            + "'namespace':'app','uid':'u-1','resourceVersion':'7','annotations':{"
                                + annotations
                                + "}},'spec':{'storageClassName':'fast','accessModes':"
                                + "['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}"
                                + spec
                                + "}}"));
    }

    static StorageClass storageClass(String fields) {
        return StorageClass.of(
                object(
                        "{'metadata':{'name':'fast','uid':'c-1'},'provisioner':'topolvm.io',"
                                + "'reclaimPolicy':'Delete'"
                                + fields
                                + "}"));
    }
}
