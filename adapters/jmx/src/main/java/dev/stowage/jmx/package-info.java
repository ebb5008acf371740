/**
 * Management beans of allocators and pools, for JConsole, VisualVM and other JMX tools.
 *
 * <p>This package has a module of its own, because it needs the module {@code java.management},
 * which the allocator does not need.
 */
package dev.stowage.jmx;
