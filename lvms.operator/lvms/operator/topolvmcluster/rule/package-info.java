/**
 * What a TopolvmCluster may ask for, as pure functions: {@link
 * lvms.operator.topolvmcluster.rule.StorageRules} judges nodes and devices, {@link
 * lvms.operator.topolvmcluster.rule.PlacementRules} where it is and which of several counts.
 */
package lvms.operator.topolvmcluster.rule;
