package dev.stowage.cli.pasted;

import dev.stowage.process.NativeTracking;
import dev.stowage.process.ProcessDump;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The figures of pasted texts.
 *
 * @param figures the bytes and numbers by name
 * @param words the words by name
 * @param resident the resident bytes; empty if no text has them
 * @param tracking the committed bytes by purpose
 * @param trackedProcess the number of the process of {@code tracking}; 0 if no text has it
 * @param dump the texts as a dump; empty if they do not have all mappings
 */
public record PastedMemory(
    Map<String, Long> figures,
    Map<String, String> words,
    Optional<Resident> resident,
    NativeTracking tracking,
    long trackedProcess,
    Optional<ProcessDump> dump) {

  /** The source of the resident bytes at a kill. */
  static final String KILL = "kill";

  /**
   * The resident bytes of a process.
   *
   * @param source the figure of the text, such as {@code rollup}
   * @param parts the bytes of each kind of page; their sum can be less than all bytes
   * @param pid the number of the process; 0 if the text does not have it
   */
  public record Resident(String source, long bytes, Map<String, Long> parts, long pid) {}

  OptionalLong figure(String name) {
    Long bytes = figures.get(name);
    return bytes == null ? OptionalLong.empty() : OptionalLong.of(bytes);
  }

  /** {@return the limit of the control group} */
  public OptionalLong limitBytes() {
    return figure("limit");
  }
}
