/** Gives volumes that no LogicalVolume names an object again, on behalf of a person. */
package lvms.operator.adoption;
