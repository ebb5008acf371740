package dev.stowage.cli.failure;

import dev.stowage.cli.text.RuleBlock;
import dev.stowage.cli.text.Template;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A grammar of texts with a fixed form. Each grammar is a block of a resource. */
final class FailureGrammar implements FailureText {

  /*
   * These are the keys of a block. The names of FailurePart are keys, too: the value is a phrase
   * with the number.
   *
   *   mark                    words; each text has at least one of them
   *   from line               the text starts before the mark, with its line
   *   lines                   the number of lines of a text, 1 by default
   *   end                     words that end the text; by default, the marks
   *   only                    an expression that the text must match
   *   reached limit           the allocated bytes are 99 % of the limit, or more
   *   kind, program, cause, detail  parts of the failure
   *   context                 new or more: the numbers belong to later failures, and "used" adds
   *                           them
   *
   * A part of the failure is a choice: VALUE, VALUE if EXPRESSION, VALUE in N lines if EXPRESSION.
   */

  private static final Pattern CHOICE = Pattern.compile("(.*?)(?: in (\\d+) lines)?(?: if (.*))?");

  /** A value, and the expression that the text must match. */
  private record Choice(String value, int lineCount, Pattern condition) {

    private static Choice of(String text) {
      Matcher parts = CHOICE.matcher(text);
      return parts.matches()
          ? new Choice(
              parts.group(1),
              Integer.parseInt(Optional.ofNullable(parts.group(2)).orElse("0")),
              Pattern.compile(Optional.ofNullable(parts.group(3)).orElse("")))
          : new Choice(text, 0, Pattern.compile(""));
    }
  }

  /** A block with its expressions compiled. */
  private record Form(
      List<String> marks,
      List<String> ends,
      int lineCount,
      boolean isFromLine,
      boolean isReached,
      Pattern only,
      Map<FailurePart, List<Phrase>> phrases,
      Map<String, List<Choice>> choices) {

    private static Form of(RuleBlock block) {
      Map<FailurePart, List<Phrase>> phrases = new EnumMap<>(FailurePart.class);
      for (FailurePart part : FailurePart.values()) {
        phrases.put(part, block.values(part.name()).map(Phrase::of).toList());
      }
      List<String> marks = block.values("mark").toList();
      List<String> ends = block.values("end").toList();
      return new Form(
          marks,
          ends.isEmpty() ? marks : ends,
          block.values("lines").findFirst().map(Integer::parseInt).orElse(1),
          block.values("from").findFirst().isPresent(),
          block.values("reached").findFirst().isPresent(),
          Pattern.compile(block.values("only").findFirst().orElse("")),
          phrases,
          Stream.of("kind", "program", "cause", "detail", "context")
              .collect(
                  Collectors.toMap(key -> key, key -> block.values(key).map(Choice::of).toList())));
    }
  }

  private static final List<Form> FORMS =
      RuleBlock.read(FailureGrammar.class, "grammars.txt").stream().map(Form::of).toList();

  private final Form form;
  private FailureNumbers context = FailureNumbers.NONE;
  private String contextDetail = "";

  private FailureGrammar(Form form) {
    this.form = form;
  }

  /** {@return all grammars; they have not read any text} */
  static List<FailureText> all() {
    return FORMS.stream().<FailureText>map(FailureGrammar::new).toList();
  }

  @Override
  public List<String> marks() {
    return form.marks();
  }

  @Override
  public Optional<Failure> read(FailureLines lines, int start) {
    String text = text(lines, start);
    if (!form.only().matcher(text).find()) {
      return Optional.empty();
    }
    FailureNumbers numbers = numbers(text);
    if (form.isReached() && !numbers.isLimitReached()) {
      return Optional.empty();
    }
    String detail = choice("detail", lines, text);
    switch (choice("context", lines, text)) {
      case "new" -> {
        context = numbers;
        contextDetail = detail;
        return Optional.empty();
      }
      case "more" -> {
        context = numbers.and(context);
        return Optional.empty();
      }
      default -> {}
    }
    String cause = choice("cause", lines, text);
    return Optional.of(
        new Failure(
            FailureProgram.valueOf(choice("program", lines, text)),
            choice("kind", lines, text),
            cause.isEmpty() ? Failure.Cause.REQUEST : Failure.Cause.valueOf(cause),
            numbers.and(context),
            detail.isEmpty() ? contextDetail : detail,
            lines.number()));
  }

  private String text(FailureLines lines, int start) {
    if (form.isFromLine()) {
      return lines.text(0, form.lineCount());
    }
    String text = lines.text(start, form.lineCount());
    int end = text.length();
    for (String words : form.ends()) {
      int next = text.indexOf(words, 1);
      end = next > 0 ? Math.min(end, next) : end;
    }
    return text.substring(0, end);
  }

  private FailureNumbers numbers(String text) {
    FailureNumbers numbers = FailureNumbers.NONE;
    for (Map.Entry<FailurePart, List<Phrase>> phrases : form.phrases().entrySet()) {
      Optional<PrintedBytes> number =
          phrases.getValue().stream().flatMap(phrase -> phrase.find(text).stream()).findFirst();
      // Without a limit, or if the driver does not know a number, a text has 2^64 - 1.
      boolean isKnown =
          phrases.getKey() == FailurePart.REQUESTED
              || number.filter(PrintedBytes::isOverflow).isEmpty();
      numbers = isKnown ? numbers.with(phrases.getKey(), number) : numbers;
    }
    return numbers;
  }

  /** {@return the value of the first expression that matches; empty if none does} */
  private String choice(String key, FailureLines lines, String text) {
    for (Choice choice : form.choices().getOrDefault(key, List.of())) {
      Matcher found =
          choice
              .condition()
              .matcher(choice.lineCount() > 0 ? lines.text(0, choice.lineCount()) : text);
      if (found.find()) {
        return Template.fill(
            choice.value(), group -> Optional.ofNullable(found.group(Integer.parseInt(group))));
      }
    }
    return "";
  }
}
