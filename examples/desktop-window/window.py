"""A note pad, whose text can be edited while the license is valid."""

import tkinter

from licensing import Licensing  # licet


class Window(tkinter.Tk):
    def __init__(self) -> None:
        super().__init__()
        self.title("Notes")
        self.notes = tkinter.Text(self, state="disabled")
        self.message = tkinter.Label(self, text="The license is being checked.")  # licet
        self.key = tkinter.Entry(self)  # licet
        self.use_key = tkinter.Button(self, text="Use this key", command=self.enter)  # licet
        for part in (self.notes, self.message, self.key, self.use_key):
            part.pack(fill="x")
        self.licensing = Licensing()  # licet
        self.licensing.start()  # licet
        self.read_news()  # licet

    def enter(self) -> None:  # licet
        self.licensing.start(self.key.get())  # licet

    def read_news(self) -> None:  # licet
        while not self.licensing.news.empty():  # licet
            valid, message = self.licensing.news.get()  # licet
            self.notes["state"] = "normal" if valid else "disabled"  # licet
            self.message["text"] = message  # licet
        self.after(100, self.read_news)  # licet


if __name__ == "__main__":
    window = Window()
    window.mainloop()
    window.licensing.client.close()  # licet
