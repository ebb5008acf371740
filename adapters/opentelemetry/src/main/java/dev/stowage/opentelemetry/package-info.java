/** Metrics of allocators and pools by OpenTelemetry's conventions for JVM buffers. */
package dev.stowage.opentelemetry;
