/** Sweeps: many models and traces through one command of Stowage, on Apache Flink. */
@org.jspecify.annotations.NullMarked
package dev.stowage.fleet;
