package dev.stowage.cli.report;

import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.trace.explain.BlockOwner;
import dev.stowage.trace.explain.Grouping;
import dev.stowage.trace.explain.HolderGroup;
import dev.stowage.trace.explain.Holders;
import dev.stowage.trace.explain.Hole;
import dev.stowage.trace.explain.PinnedRegion;
import dev.stowage.trace.explain.ReplayExplanation;
import dev.stowage.trace.explain.WorstFailure;
import dev.stowage.trace.replay.MemoryUse;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** The explanation of a replay as tables. */
final class ReplayExplanationTable {

  private static final int MAX_GROUPS = 10;
  private static final int MAX_STACKS = 3;
  private static final int MAX_FRAMES = 8;
  private static final int MAX_NEIGHBOUR_FRAMES = 4;
  private static final int MAX_HOLES = 5;
  private static final int MAX_PINS = 5;

  private final ReplayExplanation explanation;
  private final OptionalLong firstFailureEvent;

  /**
   * @param explanation the explanation
   * @param firstFailureEvent the number of the event whose failure is printed already
   */
  ReplayExplanationTable(ReplayExplanation explanation, OptionalLong firstFailureEvent) {
    this.explanation = explanation;
    this.firstFailureEvent = firstFailureEvent;
  }

  /** {@return the number of an event in a sentence} */
  static String event(long event) {
    return event == 0 ? "before the first event" : "event " + Numbers.grouped(event);
  }

  void print(Writer out) throws IOException {
    out.write(
        String.format(
            Locale.ROOT,
            "%nMemory %s, %s: %s requested in %s.%n",
            explanation.isPeak() ? "at the peak of requested bytes" : "at the given moment",
            event(explanation.moment().event()),
            ByteUnit.exact(explanation.moment().use().requestedBytesInUse()),
            Numbers.count(holders(Grouping.LINE).blocks(), "block")));
    groups("BY LINE", "a call stack", Grouping.LINE, MAX_GROUPS, out);
    groups("BY STACK", "a call stack", Grouping.STACK, MAX_STACKS, out);
    groups("BY TAG", "a tag", Grouping.TAG, MAX_GROUPS, out);
    groups("BY STREAM", "a stream", Grouping.STREAM, MAX_GROUPS, out);
    fragmentation(out);
    pins(out);
    printFailure(out);
  }

  /** Prints the worst failure; nothing if no request failed. */
  void printFailure(Writer out) throws IOException {
    if (explanation.failure().isPresent()) {
      failure(explanation.failure().get(), out);
    }
  }

  private Holders holders(Grouping grouping) {
    return explanation
        .holders()
        .getOrDefault(grouping, new Holders(0, 0, Optional.empty(), List.of()));
  }

  private void groups(String title, String property, Grouping grouping, int most, Writer out)
      throws IOException {
    Holders holders = holders(grouping);
    if (holders.blocks() == 0) {
      return;
    }
    if (!holders.groups().isEmpty()
        && holders.groups().stream().allMatch(group -> group.key().equals(grouping.unknownKey()))) {
      out.write(String.format(Locale.ROOT, "%n%s: no block has %s.%n", title, property));
      return;
    }
    out.write("\n" + title + "\n");
    HolderRows.title(out, "bytes", "share", "");
    if (holders.older().isPresent()) {
      row(holders.older().get(), holders, out);
    }
    for (HolderGroup group : holders.groups().stream().limit(most).toList()) {
      row(group, holders, out);
    }
    if (holders.groups().size() > most) {
      others(holders.groups().subList(most, holders.groups().size()), holders, out);
    }
  }

  private static void row(HolderGroup group, Holders holders, Writer out) throws IOException {
    String share = Numbers.percent(group.bytes(), holders.bytes());
    if (group.frames().isEmpty()) {
      HolderRows.row(out, group.bytes(), share, group.blocks(), group.key());
      return;
    }
    HolderRows.row(out, group.bytes(), share, group.blocks(), group.frames().getFirst());
    frames(group.frames().subList(1, group.frames().size()), MAX_FRAMES, " ".repeat(57), out);
  }

  private static void frames(List<String> frames, int most, String indent, Writer out)
      throws IOException {
    for (String frame : frames.stream().limit(most).toList()) {
      HolderRows.line(out, indent + HolderRows.text(frame));
    }
    if (frames.size() > most) {
      HolderRows.line(out, indent + "and " + Numbers.count(frames.size() - most, "other frame"));
    }
  }

  private static void others(List<HolderGroup> others, Holders holders, Writer out)
      throws IOException {
    long bytes = others.stream().mapToLong(HolderGroup::bytes).sum();
    HolderRows.row(
        out,
        bytes,
        Numbers.percent(bytes, holders.bytes()),
        others.stream().mapToLong(HolderGroup::blocks).sum(),
        Numbers.count(others.size(), "other"));
  }

  private void fragmentation(Writer out) throws IOException {
    out.write("\nFRAGMENTATION\n");
    TextTable table = new TextTable();
    table.row("", "external", "internal", "free bytes", "largest free", "event");
    fragmentation("  then", explanation.moment(), table);
    fragmentation("  largest external", explanation.worst().mostFragmented(), table);
    fragmentation("  most bytes outside largest", explanation.worst().mostScattered(), table);
    table.print(out);
  }

  private static void fragmentation(String name, ReplayExplanation.Moment moment, TextTable table) {
    MemoryUse use = moment.use();
    table.row(
        name,
        Numbers.percent(use.externalFragmentation()),
        Numbers.percent(use.internalFragmentation()),
        Numbers.grouped(use.freeBytes()),
        Numbers.grouped(use.largestFreeBytes()),
        Numbers.grouped(moment.event()));
  }

  private void pins(Writer out) throws IOException {
    if (explanation.pins().largest().isEmpty()) {
      return;
    }
    out.write(
        String.format(
            Locale.ROOT,
            "%nREGIONS WITH FREE BYTES that blocks in use keep from being released: %s%n",
            Numbers.grouped(explanation.pins().count())));
    for (PinnedRegion pin : explanation.pins().largest().stream().limit(MAX_PINS).toList()) {
      out.write(
          String.format(
              Locale.ROOT,
              "  region %d of %s: %s bytes are free, %s in use%n",
              pin.region(),
              ByteUnit.exact(pin.bytes()),
              Numbers.grouped(pin.freeBytes()),
              Numbers.count(pin.blocks(), "block")));
      for (BlockOwner block : pin.largest()) {
        HolderRows.line(out, "    " + owner(block));
      }
      if (pin.blocks() > pin.largest().size()) {
        HolderRows.line(
            out, "    and " + Numbers.count(pin.blocks() - pin.largest().size(), "smaller block"));
      }
    }
  }

  private static String owner(BlockOwner block) {
    return String.format(
        Locale.ROOT,
        "%s, %s",
        HolderRows.text(block.line()),
        block.event() == 0
            ? ByteUnit.exact(block.bytes())
            : ByteUnit.exact(block.bytes()) + " of " + event(block.event()));
  }

  private void failure(WorstFailure failure, Writer out) throws IOException {
    out.write(
        String.format(
            Locale.ROOT,
            "%nWORST FAILURE, %s: %s on stream %s%n",
            event(failure.event()),
            ByteUnit.exact(failure.request().bytes()),
            Long.toUnsignedString(failure.request().stream())));
    if (!failure.request().tag().isEmpty()) {
      HolderRows.line(out, "  tag " + HolderRows.text(failure.request().tag()));
    }
    frames(failure.request().frames(), MAX_FRAMES, "  ", out);
    if (firstFailureEvent.orElse(-1) != failure.event()) {
      HolderRows.line(out, "  " + failure.reason().replaceAll("(memory:|\\.) ", "$1\n  "));
    }
    out.write(
        String.format(
            Locale.ROOT,
            "  %s free in %s%s%n",
            ByteUnit.exact(failure.free().bytes()),
            Numbers.count(failure.free().holeCount(), "hole"),
            failure.free().holes().isEmpty() ? "" : ", the largest:"));
    for (Hole hole : failure.free().holes().stream().limit(MAX_HOLES).toList()) {
      out.write(
          String.format(
              Locale.ROOT,
              "  hole of %s at offset %s of region %d%s%n",
              ByteUnit.exact(hole.bytes()),
              Numbers.grouped(hole.offset()),
              hole.region(),
              hole.owner().isEmpty() ? "" : ", of " + hole.owner()));
      neighbour("below", hole.below(), out);
      neighbour("above", hole.above(), out);
    }
  }

  private static void neighbour(String side, Optional<BlockOwner> block, Writer out)
      throws IOException {
    if (block.isPresent()) {
      HolderRows.line(out, "    " + side + ": " + owner(block.get()));
      List<String> frames = block.get().frames();
      if (frames.size() > 1) {
        frames(frames, MAX_NEIGHBOUR_FRAMES, "      ", out);
      }
    }
  }
}
