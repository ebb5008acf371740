package dev.stowage.trace.format;

import java.io.IOException;

/**
 * A format of traces, which has no state.
 *
 * <p>{@link TraceOptions#withFormats} adds formats to the formats of {@link TraceReader}.
 */
public interface TraceFormat {

  /** {@return the name of the format in a summary, such as {@code csv}} */
  String name();

  /** {@return the origin of the format, in the error for unknown files} */
  String description();

  /**
   * {@return true if a file is probably of this format}
   *
   * @param head the first 4,096 bytes of the uncompressed content, or the first 4 MiB if {@link
   *     #isWithinOtherOutput}, each as one character from 0 to 255; shorter if the file is
   */
  boolean matches(String head);

  /**
   * {@return true if other programs write to the same file, so that the first line of the format
   * may be far from its start}
   */
  default boolean isWithinOtherOutput() {
    return false;
  }

  /**
   * {@return the format to read a file with: this one, or another one that depends on the events of
   * the file}
   *
   * @param content the file
   * @throws IOException if the file cannot be read
   */
  default TraceFormat inDetail(TraceContent content) throws IOException {
    return this;
  }

  /** {@return true if a trace has the names of several allocators; only one of them is read} */
  default boolean namesAllocators() {
    return false;
  }

  /**
   * Reads a file of this format.
   *
   * @param content the file
   * @param events the consumer of the events
   * @return a summary of its events
   * @throws dev.stowage.plan.MalformedFileException if the file is damaged, or if it has an
   *     impossible event
   * @throws IOException if the file cannot be read
   */
  TraceSummary read(TraceContent content, CheckedEvents events) throws IOException;
}
