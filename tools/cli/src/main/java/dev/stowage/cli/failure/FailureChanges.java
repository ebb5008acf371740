package dev.stowage.cli.failure;

import dev.stowage.pages.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A list of changes that can help after a failed request, and of those that cannot. */
public final class FailureChanges {

  /**
   * A change that can help.
   *
   * @param text the change, a sentence
   * @param paste the line to paste; empty if there is none
   * @param why the reason, a sentence
   */
  public record Remedy(String text, String paste, String why) {

    /** {@return the change on one line, without the reason} */
    public String line() {
      return paste.isEmpty() ? text : text.substring(0, text.length() - 1) + ": " + paste;
    }
  }

  /**
   * A popular change that cannot help.
   *
   * @param text the change, a noun phrase
   * @param why the reason, a sentence
   */
  public record Useless(String text, String why) {}

  static final String SMALLER = "Use a smaller batch or shorter sequences.";
  static final String ACTIVATIONS = "Activations grow with both.";

  private final List<Remedy> remedies = new ArrayList<>();
  private final List<Useless> useless = new ArrayList<>();

  FailureChanges() {}

  /** {@return no changes} */
  public static FailureChanges none() {
    return new FailureChanges();
  }

  /** {@return the changes that can help, the most likely one first} */
  public List<Remedy> remedies() {
    return List.copyOf(remedies);
  }

  /** {@return the popular changes that cannot help} */
  public List<Useless> useless() {
    return List.copyOf(useless);
  }

  void help(String text, String paste, String why) {
    remedies.add(new Remedy(text, paste, why));
  }

  void cannot(String text, String why) {
    useless.add(new Useless(text, why));
  }

  /** Adds the command that lists the processes of the device. */
  void addOthers(FailureProgram program, String why) {
    help(
        "Look for other processes on the GPU.",
        switch (program) {
          case PYTORCH_HIP -> "rocm-smi --showpids";
          case PYTORCH_XPU -> "xpu-smi ps";
          default -> "nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv";
        },
        why);
  }

  /** {@return a number in words; empty if it is not known} */
  static String with(Optional<PrintedBytes> number, String format) {
    return number.map(bytes -> Text.of(format, bytes.brief())).orElse("");
  }
}
