package dev.stowage.cli.failure;

import dev.stowage.cli.text.RuleBlock;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.cli.text.Template;
import java.util.ArrayList;
import java.util.List;

/**
 * Changes after a failed request: some can help, and others cannot.
 *
 * @param remedies the changes that can help, the most likely one first
 * @param useless the popular changes that cannot help
 */
public record FailureChanges(List<Remedy> remedies, List<Remedy> useless) {

  /** No changes. */
  public static final FailureChanges NONE = new FailureChanges(List.of(), List.of());

  private static final String OVERFLOW = "overflow";

  /**
   * A change.
   *
   * @param text a sentence if the change can help; otherwise a noun phrase
   * @param paste the line to paste; empty if there is none
   * @param why the reason, a sentence
   */
  public record Remedy(String text, String paste, String why) {

    /** {@return the change on one line, without the reason} */
    public String line() {
      return paste.isEmpty() ? text : text.substring(0, text.length() - 1) + ": " + paste;
    }
  }

  /*
   * The keys of the resource: "help" or "cannot" is a change; the lines "paste" (after help only)
   * and "why" follow it.
   */

  /** {@return the changes after a failure; some reasons name its numbers} */
  public static FailureChanges of(FailureFacts facts) {
    boolean isOverflow = facts.holds(OVERFLOW);
    FailureChanges changes = new FailureChanges(new ArrayList<>(), new ArrayList<>());
    boolean helps = false;
    String text = "";
    String paste = "";
    for (RuleBlock.Line line : facts.lines().toList()) {
      if (line.conditions().contains(OVERFLOW) != isOverflow) {
        continue;
      }
      String value = Template.fill(line.value(), facts::value);
      switch (line.key()) {
        case "help", "cannot" -> {
          helps = line.key().equals("help");
          text = value;
          paste = "";
        }
        case "paste" -> paste = ShellLine.asStarted(value);
        case "why" ->
            (helps ? changes.remedies : changes.useless).add(new Remedy(text, paste, value));
        default -> {}
      }
    }
    return changes;
  }
}
