/** Our libraries as others take them: out of the Maven repository that build.sh writes. */
package lvms.tests.libraries;
