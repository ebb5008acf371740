/** Metrics of allocators and pools for Micrometer. */
package dev.stowage.micrometer;
