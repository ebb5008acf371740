package dev.stowage.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MarkdownTest {

  @Test
  void convert_headings_areSectionsWithAnchors() {
    Markdown.Converted page =
        new Markdown().convert("# One\n\ntext *a*\n\n## Two `b`\n\n- item\n", link -> link);

    assertThat(page.sections())
        .isEqualTo(
            List.of(
                new Markdown.Section(1, "One", "one", "text a"),
                new Markdown.Section(2, "Two b", "two-b", "item")));
  }

  @Test
  void convert_linksAndImages_haveTheReplacedDestinations() {
    Markdown.Converted page =
        new Markdown().convert("[a](b.md#c) ![d](e.png)", link -> "x/" + link);

    assertThat(page.html()).contains("href=\"x/b.md#c\"", "src=\"x/e.png\"");
  }

  @Test
  void convert_pictureForEachColourScheme_hasTheReplacedDestinations() {
    Markdown.Converted page =
        new Markdown()
            .convert(
                "<picture>\n<source srcset=\"dark.png\">\n<img src=\"e.png\">\n</picture>\n",
                link -> "x/" + link);

    assertThat(page.html()).contains("srcset=\"x/dark.png\"", "src=\"x/e.png\"");
  }

  @Test
  void convert_emptyHeaders_areNoHeaders() {
    Markdown.Converted page = new Markdown().convert("| a | |\n|---|---|\n", link -> link);

    assertThat(page.html()).contains("<th>a</th>\n<td></td>");
  }

  @Test
  void convert_tables_scrollByThemselves() {
    Markdown.Converted page =
        new Markdown().convert("| a | b |\n|---|---|\n| 1 | 2 |\n", link -> link);

    assertThat(page.html()).contains("<div class=\"wide\" tabindex=\"0\"><table>");
  }
}
