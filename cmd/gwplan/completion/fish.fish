# fish completion for gwplan
complete -c gwplan -f -a '(gwplan __complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
