/** Numbers as tables and pictures tell them to people. */
package dev.stowage.cli.text;
