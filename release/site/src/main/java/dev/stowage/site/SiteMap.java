package dev.stowage.site;

import java.util.List;

/**
 * The pages of the site in the order of their menu.
 *
 * @param groups the groups of the menu
 */
record SiteMap(List<Group> groups) {

  /**
   * A group of pages.
   *
   * @param title the title in the menu
   * @param pages the pages
   */
  record Group(String title, List<Entry> pages) {}

  /**
   * A page.
   *
   * @param title the title in the menu
   * @param source the Markdown file, relative to the root of the project
   */
  record Entry(String title, String source) {}

  private static final SiteMap PROJECT =
      new SiteMap(
          List.of(
              new Group(
                  "Start",
                  List.of(
                      new Entry("Stowage", "README.md"),
                      new Entry("Installing the command", "docs/install.md"),
                      new Entry("Examples", "examples/README.md"))),
              new Group(
                  "Plan",
                  List.of(
                      new Entry("The memory of a model", "docs/plan.md"),
                      new Entry("How the search works", "docs/search.md"),
                      new Entry("All input shapes", "docs/shapes.md"),
                      new Entry("Several memories", "docs/banks.md"),
                      new Entry("TensorFlow Lite Micro", "docs/tflm.md"),
                      new Entry("ONNX models", "docs/onnx.md"))),
              new Group(
                  "Run",
                  List.of(
                      new Entry("The memory of a service", "docs/budget.md"),
                      new Entry("Allocators and pools", "docs/allocator.md"),
                      new Entry("Devices and mirrors", "docs/devices.md"),
                      new Entry("Netty, Arrow and buffers", "docs/adapters.md"),
                      new Entry("Metrics and logs", "docs/observability.md"))),
              new Group(
                  "Explain",
                  List.of(
                      new Entry("Replay and tune", "docs/replay.md"),
                      new Entry("Pages and pictures", "docs/pages.md"),
                      new Entry("Continuous integration", "docs/ci.md"),
                      new Entry("Thousands of models", "docs/fleet.md"))),
              new Group(
                  "Reference",
                  List.of(
                      new Entry("File formats", "docs/formats.md"),
                      new Entry("Reference systems", "docs/references.md"),
                      new Entry("Compatibility", "docs/compatibility.md"),
                      new Entry("Changes", "CHANGELOG.md"))),
              new Group(
                  "Benchmarks",
                  List.of(
                      new Entry("Allocators", "docs/benchmarks/allocators.md"),
                      new Entry("Pools", "docs/benchmarks/pools.md"),
                      new Entry("Strategies", "docs/benchmarks/strategies.md"),
                      new Entry("Optimal plans", "docs/benchmarks/optimal.md"),
                      new Entry("Incremental plans", "docs/benchmarks/incremental.md"),
                      new Entry("ONNX Runtime", "docs/benchmarks/onnxruntime.md"))),
              new Group(
                  "The project",
                  List.of(
                      new Entry("Architecture", "ARCHITECTURE.md"),
                      new Entry("Contributing", "CONTRIBUTING.md")))));

  /** {@return the pages of this project} */
  static SiteMap ofProject() {
    return PROJECT;
  }

  /** {@return all pages} */
  List<Entry> pages() {
    return groups.stream().flatMap(group -> group.pages().stream()).toList();
  }

  /** {@return the path of a page, relative to the root of the site} */
  static String path(String source) {
    return source.equals("README.md")
        ? "index.html"
        : source.replaceFirst("README\\.md$", "index.html").replaceFirst("\\.md$", ".html");
  }
}
