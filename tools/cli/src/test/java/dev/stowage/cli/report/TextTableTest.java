package dev.stowage.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TextTableTest {

  private static final String LONG = "a_name_that_has_thirty_letters";

  private final TextTable table = new TextTable();

  @Test
  void lines_longName_isCutInTheMiddle() {
    table.row("NAME", "bytes");
    table.row(LONG, "1,024");

    assertThat(table.lines(31))
        .containsExactly("NAME                      bytes", "a_name_that_…rty_letters  1,024");
    assertThat(table.lines(Integer.MAX_VALUE)).contains(LONG + "  1,024");
  }

  @Test
  void lines_numbersThatLeaveTooFewColumns_followTheName() {
    table.row("NAME", "bytes");
    table.row("x", "2,048");
    table.row(LONG, "1,024");

    assertThat(table.lines(15))
        .containsExactly(
            "NAME      bytes", "x         2,048", "a_name_…letters", "          1,024");
  }

  @Test
  void lines_optionalColumns_areLeftOutFromTheRightUntilTheOthersFit() {
    table.row("NAME", "bytes", "shape", "id");
    table.row("x", "1,024", "1x8x8x4", "7");
    table.require(2);

    assertThat(table.lines(24)).contains("x     1,024  1x8x8x4   7");
    assertThat(table.lines(23)).contains("x     1,024  1x8x8x4");
    assertThat(table.lines(19)).contains("x     1,024");
    assertThat(table.lines(2)).contains("x     1,024");
  }

  @Test
  void lines_longNameBesideOptionalColumns_isCutToAWidthFirst() {
    table.row("NAME", "bytes", "id");
    table.row(LONG + "_and_more", "1,024", "7");
    table.require(2);

    assertThat(table.lines(47)).contains("a_name_that_has_th…_letters_and_more  1,024   7");
    assertThat(table.lines(44)).contains("a_name_that_has_th…y_letters_and_more  1,024");
  }

  @Test
  void lines_cutColumns_areNarrowedAfterTheName() {
    table.row("NAME", "bytes", "first", "last");
    table.row(LONG, "1,024", "DEPTHWISE_CONV_2D 51", "CONV_2D 52");
    table.cut(2);
    table.cut(3);

    assertThat(table.lines(66))
        .contains("a_name_that_…irty_letters  1,024  DEPTHWISE_CONV_2D 51  CONV_2D 52");
    assertThat(table.lines(59))
        .contains("a_name_that_…rty_letters  1,024  DEPTHWI…_2D 51  CONV_2D 52");
  }

  @Test
  void lines_keptName_hasALineOfItsOwn() {
    table.row("NAME", "bytes");
    table.row(LONG, "1,024");
    table.keepLabels();

    assertThat(table.lines(36))
        .containsExactly(
            "NAME                           bytes", LONG, "                               1,024");
  }

  @Test
  void lines_lineOfText_doesNotWidenTheColumns() {
    table.row("x", "1");
    table.line(LONG);

    assertThat(table.lines(80)).containsExactly("x  1", LONG);
    assertThat(table.lines(11)).containsExactly("x  1", "a_nam…tters");
  }

  @Test
  void lines_noRows_areNone() {
    assertThat(table.lines(Integer.MAX_VALUE)).isEmpty();
  }

  @Test
  void lines_pairOfSurrogatesAtTheCut_isLeftOut() {
    table.line("ab\uD83D\uDE00cdefgh");

    assertThat(table.lines(6)).containsExactly("ab…gh");
  }
}
