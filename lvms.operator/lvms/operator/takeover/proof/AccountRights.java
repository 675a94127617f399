package lvms.operator.takeover.proof;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.uninstall.Item;
import lvms.operator.uninstall.Reads;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Rights of nobody but some accounts.
 *
 * @param reads asks the server
 * @param namespace where the accounts are, and their roles
 * @param accounts names of the ServiceAccounts
 */
public record AccountRights(Reads reads, String namespace, Set<String> accounts) {
    /**
     * Returns the bindings of these accounts alone, and their roles that nobody else is bound to,
     * in the namespace and in the cluster.
     *
     * @param named whether a binding of this name may be one
     */
    public List<Item> all(Predicate<String> named) throws ApiException, InterruptedException {
        var inside = ListOptions.all().namespace(namespace);
        var found = find(Types.ROLE_BINDING, Types.ROLE, inside, named);
        found.addAll(
                find(Types.CLUSTER_ROLE_BINDING, Types.CLUSTER_ROLE, ListOptions.all(), named));
        return found;
    }

    private List<Item> find(
            ResourceType bindings, ResourceType roles, ListOptions where, Predicate<String> named)
            throws ApiException, InterruptedException {
        var all = reads.list(bindings, where);
        var its =
                all.stream()
                        .filter(item -> named.test(item.name()) && bindsThemAlone(item))
                        .toList();
        var found = new ArrayList<>(its);
        for (var role : its.stream().map(AccountRights::roleOf).distinct().toList()) {
            boolean shared =
                    all.stream().anyMatch(item -> !its.contains(item) && roleOf(item).equals(role));
            var kind = role.text("kind").orElse("");
            if (!shared && kind.equals(roles.kind())) {
                var key =
                        ObjectKey.of(
                                roles.namespaced() ? namespace : "", role.text("name").orElse(""));
                found.addAll(reads.named(roles, key));
            }
        }
        return found;
    }

    private static ObjectTree roleOf(Item binding) {
        return binding.object().object("roleRef").orElse(ObjectTree.EMPTY);
    }

    private boolean bindsThemAlone(Item binding) {
        var subjects = binding.object().objects("subjects");
        return !subjects.isEmpty() && subjects.stream().allMatch(this::isOne);
    }

    private boolean isOne(ObjectTree subject) {
        return subject.text("kind").filter("ServiceAccount"::equals).isPresent()
                && subject.text("namespace").filter(namespace::equals).isPresent()
                && subject.text("name").filter(accounts::contains).isPresent();
    }

    /**
     * Returns whether SecurityContextConstraints of OpenShift name accounts of the namespace alone.
     */
    public boolean areUsers(Item constraints) {
        var users = constraints.object().json().texts("users");
        return !users.isEmpty()
                && users.stream()
                        .allMatch(
                                user ->
                                        user.startsWith(
                                                "system:serviceaccount:" + namespace + ":"));
    }
}
