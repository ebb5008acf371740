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
 * @param parts the resident bytes of each kind of page; their sum can be less than all bytes
 * @param tracking the committed bytes by purpose
 * @param dump the texts as a dump; empty if they do not have all mappings
 */
public record PastedMemory(
    Map<String, Long> figures,
    Map<String, String> words,
    Map<String, Long> parts,
    NativeTracking tracking,
    Optional<ProcessDump> dump) {

  private OptionalLong figure(String name) {
    Long bytes = figures.get(name);
    return bytes == null ? OptionalLong.empty() : OptionalLong.of(bytes);
  }

  /** {@return the resident bytes; empty if no text has them} */
  public OptionalLong residentBytes() {
    return figure("resident");
  }

  /** {@return the limit of the control group} */
  public OptionalLong limitBytes() {
    return figure("limit");
  }
}
