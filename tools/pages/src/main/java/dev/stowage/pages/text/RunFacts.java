package dev.stowage.pages.text;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The facts of the run of a command that a page shows beside its figures.
 *
 * @param conclusion the answer that the page starts with; empty if there is none
 * @param facts the command line, the version, the input and the options in effect
 * @param notes the notes that the command prints
 * @param diagnosis lines of the terminal that the page shows beside its picture; empty if there are
 *     none
 * @param capacityBytes the bytes that a plan must fit into; empty if there is no limit
 */
public record RunFacts(
    Optional<Conclusion> conclusion,
    List<Fact> facts,
    List<String> notes,
    String diagnosis,
    OptionalLong capacityBytes) {

  private static final RunFacts NONE =
      new RunFacts(Optional.empty(), List.of(), List.of(), "", OptionalLong.empty());

  /** A fact: a name, such as {@code alignment}, and its value. */
  public record Fact(String term, String text) {}

  public RunFacts {
    facts = List.copyOf(facts);
    notes = List.copyOf(notes);
  }

  /** {@return no facts} */
  public static RunFacts none() {
    return NONE;
  }

  /** {@return these facts with another conclusion} */
  public RunFacts withConclusion(Conclusion newConclusion) {
    return new RunFacts(Optional.of(newConclusion), facts, notes, diagnosis, capacityBytes);
  }

  /** {@return these facts with others} */
  public RunFacts withFacts(List<Fact> newFacts) {
    return new RunFacts(conclusion, newFacts, notes, diagnosis, capacityBytes);
  }

  /** {@return these facts with other notes} */
  public RunFacts withNotes(List<String> newNotes) {
    return new RunFacts(conclusion, facts, newNotes, diagnosis, capacityBytes);
  }

  /** {@return these facts with another diagnosis} */
  public RunFacts withDiagnosis(String newDiagnosis) {
    return new RunFacts(conclusion, facts, notes, newDiagnosis, capacityBytes);
  }

  /** {@return these facts with another capacity} */
  public RunFacts withCapacity(OptionalLong newCapacityBytes) {
    return new RunFacts(conclusion, facts, notes, diagnosis, newCapacityBytes);
  }
}
