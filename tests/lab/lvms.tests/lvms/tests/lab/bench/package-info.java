/** Benchmarks in the lab. They print what they measure and pass no judgement. */
package lvms.tests.lab.bench;
