/**
 * Management beans of allocators and pools, for JConsole, VisualVM and other JMX tools.
 *
 * <p>The package needs the module {@code java.management}, which the module of this package does
 * not require.
 */
package dev.stowage.jmx;
