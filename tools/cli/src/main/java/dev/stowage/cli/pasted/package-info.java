/**
 * Texts on the memory of a process that people paste. They are from the virtual machine, the kernel
 * and Kubernetes, in one file or in several, cut and mixed.
 *
 * <p>{@link dev.stowage.cli.pasted.PastedReader} reads the lines, {@link
 * dev.stowage.cli.pasted.PastedMemory} has the figures, {@link
 * dev.stowage.cli.pasted.PastedVerdict} names the cause and the missing texts.
 */
@NullMarked
package dev.stowage.cli.pasted;

import org.jspecify.annotations.NullMarked;
