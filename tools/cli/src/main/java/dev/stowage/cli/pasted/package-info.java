/**
 * Texts on the memory of a process that people paste: of the virtual machine, of the kernel and of
 * Kubernetes, in one file or in several, cut and mixed.
 *
 * <p>{@link dev.stowage.cli.pasted.PastedReader} reads the lines, {@link
 * dev.stowage.cli.pasted.PastedMemory} has the figures, {@link
 * dev.stowage.cli.pasted.PastedVerdict} names the culprit and what is missing.
 */
@NullMarked
package dev.stowage.cli.pasted;

import org.jspecify.annotations.NullMarked;
