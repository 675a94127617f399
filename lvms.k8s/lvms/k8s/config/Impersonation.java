package lvms.k8s.config;

import lvms.k8s.object.PercentEncoding;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The headers that let a user act as another. */
final class Impersonation {
    /**
     * One header.
     *
     * @param name name
     * @param value value
     */
    record Header(String name, String value) {}

    private Impersonation() {}

    /** Reads {@code as}, {@code as-uid}, {@code as-groups} and {@code as-user-extra}. */
    static List<Header> of(ObjectTree user) throws KubeConfigException {
        var headers = new ArrayList<Header>();
        user.text("as").ifPresent(as -> headers.add(new Header("Impersonate-User", as)));
        boolean acts = !headers.isEmpty();
        user.text("as-uid").ifPresent(uid -> headers.add(new Header("Impersonate-Uid", uid)));
        addAll(headers, "Impersonate-Group", user.at("as-groups"));
        if (user.at("as-user-extra") instanceof ObjectTree extra) {
            for (var entry : extra.members().entrySet()) {
                var key = PercentEncoding.of(entry.getKey().toLowerCase(Locale.ROOT));
                addAll(headers, "Impersonate-Extra-" + key, entry.getValue());
            }
        }
        if (!headers.isEmpty() && !acts) {
            throw new KubeConfigException("as-uid, as-groups and as-user-extra need 'as'");
        }
        return headers;
    }

    private static void addAll(List<Header> headers, String name, Tree values) {
        if (values instanceof ListTree array) {
            for (var value : array) {
                headers.add(new Header(name, value.asText()));
            }
        }
    }
}
