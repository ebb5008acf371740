package dev.stowage.cli.banks;

import dev.stowage.cli.check.CheckedBank;
import dev.stowage.cli.output.HeaderText;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.MemoryBank;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/**
 * A writer of plans in several banks as headers for C99 and C++: the bytes and the alignment of the
 * arena in each bank, and the bank and the offset of each tensor with its name.
 */
final class BankHeader {

  private BankHeader() {}

  static void write(BankReport report, Writer out) throws IOException {
    List<CheckedBank> banks = report.banks();
    long maxBytes = banks.stream().mapToLong(bank -> bank.plan().totalBytes()).max().orElse(0);
    HeaderText header = new HeaderText(report.input().file(), maxBytes, out);
    header.begin("The tensor arenas", report.plan().order().toString());
    List<String> names = names(report.problem().banks());
    header.line(
        "/* Each bank: its number, the bytes of its arena, and a multiple of its address. */");
    header.define("BANK_COUNT", Integer.toString(banks.size()));
    for (int bank = 0; bank < banks.size(); bank++) {
      header.line("/* " + HeaderText.comment(banks.get(bank).bank().name()) + " */");
      header.define(names.get(bank) + "_BANK", Integer.toString(bank));
      header.define(
          names.get(bank) + "_ARENA_BYTES", header.number(banks.get(bank).plan().totalBytes()));
      header.define(
          names.get(bank) + "_ARENA_ALIGNMENT",
          header.number(HeaderText.alignment(banks.get(bank).problem())));
    }
    int count = report.problem().recordCount();
    header.define("TENSOR_COUNT", Integer.toString(count));
    header.line("");
    if (count > 0) {
      writeRecords(report, names, header);
    }
    header.end();
  }

  private static void writeRecords(BankReport report, List<String> names, HeaderText header)
      throws IOException {
    BankedAssignment plan = report.plan().assignment();
    int count = report.problem().recordCount();
    header.line("/* The number of the bank of each tensor. */");
    header.array(
        report.problem().banks().size() <= 1 << 8 ? "uint8_t" : "uint16_t",
        "BANKS",
        "TENSOR_COUNT",
        count,
        i -> header.prefix() + "_" + names.get(plan.bank(i)) + "_BANK",
        i -> HeaderText.comment(report.input().labels().get(i).id()));
    header.line("/* The offset of each tensor in the arena of its bank, in bytes. */");
    header.array(
        header.bytesType(),
        "OFFSETS",
        "TENSOR_COUNT",
        count,
        i -> header.number(plan.offset(i)),
        i ->
            HeaderText.tensor(
                report.input().labels().get(i),
                report.problem().problem().records().get(i).bytes()));
  }

  /** {@return a different name in C for each bank} */
  private static List<String> names(List<MemoryBank> banks) {
    List<String> names = new ArrayList<>();
    for (int bank = 0; bank < banks.size(); bank++) {
      String words = HeaderText.words(banks.get(bank).name()).replaceAll("^_|_$", "");
      String base = words.isEmpty() ? "BANK" : words;
      String name = base;
      for (int number = 2; names.contains(name); number++) {
        name = Text.of("%s_%d", base, number);
      }
      names.add(name);
    }
    return names;
  }
}
