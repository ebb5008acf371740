/**
 * Runs items on Apache Flink, in this process or on a cluster.
 *
 * <p>This is the only package that uses Flink. It moves lines of text: items in, results out.
 */
@org.jspecify.annotations.NullMarked
package dev.stowage.fleet.flink;
