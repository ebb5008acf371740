package dev.stowage.process;

import java.util.List;

/**
 * A cause of unnecessary memory, or much memory of unknown purpose, with its remedies.
 *
 * @param owner the owner of the memory
 * @param sentence the cause, as a sentence
 * @param bytes the bytes that the remedies return, or the missing bytes of a limit; an estimate; 0
 *     if they are not known
 * @param remedies the remedies, or ways to find the purpose; the mildest first; only remedies for
 *     the next start if the process has ended
 */
public record MemoryFinding(MemoryOwner owner, String sentence, long bytes, List<Remedy> remedies) {

  /** Copies the remedies. */
  public MemoryFinding {
    remedies = List.copyOf(remedies);
  }

  /**
   * A remedy.
   *
   * @param setting the command or setting
   * @param advice further steps, or the place; empty if the setting is all
   * @param needsRestart true if it is a setting for the next start of the process
   */
  public record Remedy(String setting, String advice, boolean needsRestart) {}
}
