package dev.stowage.process;

import java.util.List;

/**
 * A cause of memory that a process could do without, and what to set.
 *
 * @param owner the owner of the memory
 * @param sentence the cause, as a sentence
 * @param bytes the bytes that the remedies return, or the bytes without a bound; an estimate
 * @param remedies what helps; the first one is the mildest
 */
public record MemoryFinding(MemoryOwner owner, String sentence, long bytes, List<Remedy> remedies) {

  /** Creates a finding. */
  public MemoryFinding {
    remedies = List.copyOf(remedies);
  }

  /**
   * A remedy.
   *
   * @param setting the command or setting
   * @param advice what else to do, or where; empty if the setting is all
   * @param needsRestart true if it is a setting for the next start of the process
   */
  public record Remedy(String setting, String advice, boolean needsRestart) {}
}
