package dev.stowage.pages.text;

import java.util.List;
import java.util.OptionalLong;

/** The facts of the run of a command that a page shows beside its figures. */
public final class RunFacts {

  private static final RunFacts NONE =
      new RunFacts(List.of(), List.of(), List.of(), "", OptionalLong.empty());

  private final List<Fact> facts;
  private final List<String> notes;
  private final List<String> reasons;
  private final String diagnosis;
  private final OptionalLong capacityBytes;

  /**
   * A fact.
   *
   * @param term the name, such as {@code alignment}
   * @param text the value
   */
  public record Fact(String term, String text) {}

  private RunFacts(
      List<Fact> facts,
      List<String> notes,
      List<String> reasons,
      String diagnosis,
      OptionalLong capacityBytes) {
    this.facts = List.copyOf(facts);
    this.notes = List.copyOf(notes);
    this.reasons = List.copyOf(reasons);
    this.diagnosis = diagnosis;
    this.capacityBytes = capacityBytes;
  }

  /** {@return no facts} */
  public static RunFacts none() {
    return NONE;
  }

  /**
   * {@return these facts with others}
   *
   * @param newFacts the command line, the version, the input and the options in effect
   */
  public RunFacts withFacts(List<Fact> newFacts) {
    return new RunFacts(newFacts, notes, reasons, diagnosis, capacityBytes);
  }

  /**
   * {@return these facts with other notes}
   *
   * @param newNotes the notes that the command prints
   */
  public RunFacts withNotes(List<String> newNotes) {
    return new RunFacts(facts, newNotes, reasons, diagnosis, capacityBytes);
  }

  /**
   * {@return these facts with other reasons}
   *
   * @param newReasons sentences on the size of the arena
   */
  public RunFacts withReasons(List<String> newReasons) {
    return new RunFacts(facts, notes, newReasons, diagnosis, capacityBytes);
  }

  /**
   * {@return these facts with another diagnosis}
   *
   * @param newDiagnosis the lines that the command prints on a failure; empty if there is none
   */
  public RunFacts withDiagnosis(String newDiagnosis) {
    return new RunFacts(facts, notes, reasons, newDiagnosis, capacityBytes);
  }

  /**
   * {@return these facts with another capacity}
   *
   * @param newCapacityBytes the bytes that a plan must fit into
   */
  public RunFacts withCapacity(OptionalLong newCapacityBytes) {
    return new RunFacts(facts, notes, reasons, diagnosis, newCapacityBytes);
  }

  /** {@return the command line, the version, the input and the options in effect} */
  public List<Fact> facts() {
    return facts;
  }

  /** {@return the notes that the command prints} */
  public List<String> notes() {
    return notes;
  }

  /** {@return sentences on the size of the arena} */
  public List<String> reasons() {
    return reasons;
  }

  /** {@return the lines that the command prints on a failure; empty if there is none} */
  public String diagnosis() {
    return diagnosis;
  }

  /** {@return the bytes that a plan must fit into; empty if there is no limit} */
  public OptionalLong capacityBytes() {
    return capacityBytes;
  }
}
