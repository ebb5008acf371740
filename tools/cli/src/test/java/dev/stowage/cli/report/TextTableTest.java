package dev.stowage.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TextTableTest {

  private static final String LONG = "a_name_that_has_thirty_letters";

  private final TextTable table = new TextTable(false, false);

  @Test
  void lines_longName_isCutInTheMiddle() {
    table.row(List.of("NAME", "bytes"));
    table.row(List.of(LONG, "1,024"));

    assertThat(table.lines(31))
        .containsExactly("NAME                      bytes", "a_name_that_…rty_letters  1,024");
    assertThat(table.lines(Integer.MAX_VALUE)).contains(LONG + "  1,024");
  }

  @Test
  void lines_numbersThatLeaveTooFewColumns_followTheName() {
    table.row(List.of("NAME", "bytes"));
    table.row(List.of("x", "2,048"));
    table.row(List.of(LONG, "1,024"));

    assertThat(table.lines(15))
        .containsExactly(
            "NAME      bytes", "x         2,048", "a_name_…letters", "          1,024");
  }

  @Test
  void lines_texts_areCutAfterTheName() {
    table.row(List.of("NAME", "bytes", "first", "last"));
    table.row(List.of(LONG, "1,024", "DEPTHWISE_CONV_2D 51", "CONV_2D 52"));
    table.text(2);
    table.text(3);

    assertThat(table.lines(66))
        .contains("a_name_that_…irty_letters  1,024  DEPTHWISE_CONV_2D 51  CONV_2D 52");
    assertThat(table.lines(59))
        .contains("a_name_that_…rty_letters  1,024  DEPTHWI…_2D 51  CONV_2D 52");
  }

  @Test
  void lines_keptName_hasALineOfItsOwn() {
    TextTable kept = new TextTable(true, false);
    kept.row(List.of("NAME", "bytes"));
    kept.row(List.of(LONG, "1,024"));

    assertThat(kept.lines(36))
        .containsExactly(
            "NAME                           bytes", LONG, "                               1,024");
  }

  @Test
  void lines_lineOfText_doesNotWidenTheColumns() {
    table.row(List.of("x", "1"));
    table.row(List.of(LONG));

    assertThat(table.lines(80)).containsExactly("x  1", LONG);
    assertThat(table.lines(11)).containsExactly("x  1", "a_nam…tters");
  }

  @Test
  void lines_noRows_areNone() {
    assertThat(table.lines(Integer.MAX_VALUE)).isEmpty();
  }

  @Test
  void lines_pairOfSurrogatesAtTheCut_isLeftOut() {
    table.row(List.of("ab\uD83D\uDE00cdefgh"));

    assertThat(table.lines(6)).containsExactly("ab…gh");
  }
}
