package dev.stowage.cli.report;

import dev.stowage.pages.text.Numbers;
import dev.stowage.trace.explain.Grouping;
import dev.stowage.trace.explain.HolderGroup;
import dev.stowage.trace.explain.Holders;
import java.util.List;
import java.util.Locale;

/** The groups of blocks that hold memory: all of them for programs, the largest for people. */
final class HolderGroups {

  private static final int MAX_GROUPS = 10;
  private static final int MAX_STACKS = 3;
  private static final int MAX_FRAMES = 8;

  private HolderGroups() {}

  /** Adds the holders of memory by a property. */
  static void add(Grouping grouping, Holders holders, Answer answer) {
    String by = "by_" + grouping.name().toLowerCase(Locale.ROOT);
    List<HolderGroup> groups = holders.groups();
    answer.groups(by, groups, (group, each) -> addGroup(group, grouping, holders, each));
    boolean isKnown =
        groups.isEmpty()
            || groups.stream().anyMatch(group -> !group.key().equals(grouping.unknownKey()));
    if (holders.blocks() > 0 && isKnown) {
      answer.facts(facts(grouping, holders));
    }
  }

  private static void addGroup(
      HolderGroup group, Grouping grouping, Holders holders, Answer answer) {
    answer.field("key", group.key());
    addSums(group, holders, answer);
    if (grouping == Grouping.STACK) {
      answer.field("frames", Figure.texts(group.frames()));
    }
  }

  /** Adds the figures of a group for programs. */
  static void addSums(HolderGroup group, Holders holders, Answer answer) {
    answer
        .field("bytes", group.bytes())
        .field("blocks", group.blocks())
        .field("share", share(group, holders));
  }

  private static Facts facts(Grouping grouping, Holders holders) {
    Facts facts = new Facts("BY " + grouping, "bytes", "", "share", "blocks");
    holders.older().ifPresent(older -> addRow(older.key(), older, holders, facts));
    int most =
        Math.min(grouping == Grouping.STACK ? MAX_STACKS : MAX_GROUPS, holders.groups().size());
    for (HolderGroup group : holders.groups().subList(0, most)) {
      List<String> frames = group.frames();
      addRow(
          frames.isEmpty() ? label(group.key(), grouping) : frames.getFirst(),
          group,
          holders,
          facts);
      frames.stream().skip(1).limit(MAX_FRAMES).forEach(frame -> facts.row("", "  " + frame));
    }
    List<HolderGroup> others = holders.groups().subList(most, holders.groups().size());
    if (!others.isEmpty()) {
      addRow(Numbers.count(others.size(), "other"), sum(others), holders, facts);
    }
    return facts;
  }

  private static String label(String key, Grouping grouping) {
    return grouping == Grouping.SIZE ? Numbers.grouped(Long.parseLong(key)) : key;
  }

  private static void addRow(String label, HolderGroup group, Holders holders, Facts facts) {
    facts.bytes("", label, group.bytes(), share(group, holders), Figure.count(group.blocks()));
  }

  private static Figure share(HolderGroup group, Holders holders) {
    return new Figure.Share(holders.bytes() == 0 ? 0 : group.bytes() / (double) holders.bytes());
  }

  private static HolderGroup sum(List<HolderGroup> groups) {
    return new HolderGroup(
        "",
        groups.stream().mapToLong(HolderGroup::bytes).sum(),
        groups.stream().mapToLong(HolderGroup::blocks).sum(),
        List.of());
  }
}
